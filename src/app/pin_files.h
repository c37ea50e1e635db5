// PinFiles: the files of one run, read and parsed once to find their images, and again when they
// are edited. Between the two only little is kept of each, so that a run over many thousands stays
// small.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "file_replacement.h"
#include "windlass/base/result.h"
#include "windlass/image/digest.h"
#include "windlass/manifest/manifest.h"

namespace windlass::app {

struct PinFile {
  std::string path;
  std::string name;  // for people: the path, or "<stdin>"
  FileStamp stamp;   // before it was read; of nothing for what is no regular file
  std::optional<image::Digest> contents;   // when it is to be read again, or asked for
  std::optional<manifest::Manifest> kept;  // otherwise
  std::size_t first_image = 0;             // in the report
  std::size_t image_count = 0;
};

class PinFiles {
 public:
  struct Options {
    manifest::Manifest::Options manifest;
    std::size_t kept_bytes_max = std::size_t{16} << 20U;  // of files that are not read again
  };

  PinFiles(Options options, std::istream& standard_input, std::stop_token stop)
      : options_(std::move(options)), standard_input_(standard_input), stop_(std::move(stop)) {}

  // nullopt for a file that is none of ours: JSON without images, `found_in_folder`.
  Result<std::optional<PinFile>> open(const std::string& path, bool found_in_folder);

  // To be called when the manifest's images are in the report: keeps it, or drops it.
  void put_away(PinFile& file);

  // The manifest again. kConflict when the file is no longer what it was.
  Result<manifest::Manifest> reopen(PinFile& file);

  // Of the file when it was read.
  static image::Digest contents_of(const PinFile& file);

 private:
  const Options options_;
  std::istream& standard_input_;
  const std::stop_token stop_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace windlass::app

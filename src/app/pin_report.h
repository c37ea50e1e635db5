// PinReport: what became of every image in every file, for a person and for a program.
//
// Values and pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/app/exit_code.h"
#include "windlass/base/error.h"
#include "windlass/image/digest.h"
#include "windlass/manifest/finding.h"

namespace windlass::app {

enum class PinStatus {
  kPinned,         // got a digest
  kAlreadyPinned,  // had one
  kUnpinned,       // has none, and only a check was asked for
  kSkipped,        // left alone: `reason`
  kFailed,         // `error`
};

std::string_view to_string(PinStatus status);  // "pinned", "already-pinned", ...

struct PinnedImage {
  std::string file;
  manifest::Finding finding;
  PinStatus status = PinStatus::kSkipped;
  std::string reason;                   // when kSkipped
  std::optional<image::Digest> digest;  // when kPinned or kAlreadyPinned
  std::string pinned_text;              // what stands there now, when kPinned
  std::optional<Error> error;           // when kFailed

  // "file:line:column".
  std::string place() const;
};

struct PinReport {
  std::vector<PinnedImage> images;
  std::vector<Error> file_errors;  // files that could not be read, parsed or written
  std::vector<std::string> changed_files;

  ExitCode exit_code(bool check) const;
  std::string to_json(ExitCode code) const;
};

}  // namespace windlass::app

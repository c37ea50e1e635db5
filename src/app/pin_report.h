// PinReport: what became of every image in every file.
//
// Values and pure functions. How it is shown: pin_lines.h, pin_json.h, pin_sarif.h, annotations.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "windlass/app/exit_code.h"
#include "windlass/base/error.h"
#include "windlass/image/digest.h"
#include "windlass/manifest/finding.h"

namespace windlass::app {

enum class PinStatus {
  kPinned,         // got a digest
  kUpdated,        // had one and got another
  kAlreadyPinned,  // had one, and keeps it
  kUnpinned,       // has none, and none was looked for
  kUnpinnable,     // has none and cannot get one where it stands, or no image is named: `reason`
  kMoved,          // has one, and its tag means another one by now
  kNotAsLocked,    // has one, and the lock has another for its tag, or none
  kRemoved,        // had one, and lost it
  kNotWritten,     // was to get, change or lose one, and its file stays as it was: `reason`
  kSkipped,        // left alone: `reason`
  kFailed,         // `error`
};

std::string_view to_string(PinStatus status);  // "pinned", "already-pinned", ...

struct PinnedImage {
  std::string file;
  manifest::Finding finding;
  PinStatus status = PinStatus::kSkipped;
  std::string reason;                      // when left as it is
  std::optional<image::Digest> digest;     // what it has, or is to get
  std::optional<image::Digest> before;     // what it had, when another one, or none, is wanted
  std::string pinned_text;                 // what stands there after the edit
  std::optional<PinCommand::Style> style;  // of the edit, where it is not the command's
  std::optional<Error> error;              // when kFailed

  // Of the answer.
  bool from_lock = false;
  std::string media_type;   // of what the digest names, when a registry told it
  std::string credentials;  // whose login was used, when a registry was asked
  int tries = 0;
  bool failed_by_source = false;  // `error` is of the files of --source

  std::string place() const;  // "file:line:column"
  bool is_edited() const {
    return status == PinStatus::kPinned || status == PinStatus::kUpdated ||
           status == PinStatus::kRemoved;
  }

  // The edit was not made: the image stands as it stood.
  void take_back(std::string_view why);

  // "index" for several platforms, "image" for one, "" when it is not known.
  std::string_view digest_kind() const;
};

struct PinReport {
  std::vector<PinnedImage> images;
  std::vector<Error> file_errors;  // files that could not be read, parsed or written
  std::vector<std::string> changed_files;

  // Makes kNotWritten of every edit to a file that is none of `changed_files`.
  void take_back_unwritten(std::string_view reason);

  bool failed() const;
  std::size_t count(PinStatus status) const;
  ExitCode exit_code(bool check) const;
};

}  // namespace windlass::app

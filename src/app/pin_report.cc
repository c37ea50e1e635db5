#include "pin_report.h"

#include <algorithm>
#include <unordered_set>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {

std::string_view to_string(PinStatus status) {
  switch (status) {
    case PinStatus::kPinned: return "pinned";
    case PinStatus::kUpdated: return "updated";
    case PinStatus::kAlreadyPinned: return "already-pinned";
    case PinStatus::kUnpinned: return "unpinned";
    case PinStatus::kUnpinnable: return "unpinnable";
    case PinStatus::kMoved: return "moved";
    case PinStatus::kNotAsLocked: return "not-as-locked";
    case PinStatus::kRemoved: return "removed";
    case PinStatus::kNotWritten: return "not-written";
    case PinStatus::kSkipped: return "skipped";
    case PinStatus::kFailed: return "failed";
  }
  return "failed";
}

std::string PinnedImage::place() const {
  return format("{}:{}:{}", printable(file), finding.location.line, finding.location.column);
}

void PinnedImage::take_back(std::string_view why) {
  status = PinStatus::kNotWritten;
  reason = why;
  pinned_text.clear();
}

std::string_view PinnedImage::digest_kind() const {
  if (media_type.contains("index") || media_type.contains("manifest.list")) return "index";
  return media_type.contains("manifest") ? "image" : "";
}

void PinReport::take_back_unwritten(std::string_view reason) {
  const std::unordered_set<std::string_view> written(changed_files.begin(), changed_files.end());
  for (PinnedImage& image : images) {
    if (image.is_edited() && !written.contains(image.file)) image.take_back(reason);
  }
}

bool PinReport::failed() const { return !file_errors.empty() || count(PinStatus::kFailed) > 0; }

std::size_t PinReport::count(PinStatus status) const {
  return static_cast<std::size_t>(std::ranges::count(images, status, &PinnedImage::status));
}

ExitCode PinReport::exit_code(bool check) const {
  ExitCode code = ExitCode::kDone;
  for (const Error& error : file_errors) {
    const ExitCode of_file = error.code == ErrorCode::kInternal    ? ExitCode::kInternal
                             : error.code == ErrorCode::kCancelled ? ExitCode::kInterrupted
                                                                   : ExitCode::kInput;
    code = worse(code, of_file);
  }
  for (const PinnedImage& image : images) {
    if (image.error) {
      const bool is_input =
          image.finding.state == manifest::FindingState::kInvalid || image.failed_by_source;
      code = worse(code, is_input ? ExitCode::kInput : exit_code_of_lookup(image.error->code));
    }
    const bool is_bad =
        image.status == PinStatus::kUnpinned || image.status == PinStatus::kUnpinnable ||
        image.status == PinStatus::kMoved || image.status == PinStatus::kNotAsLocked;
    if (check && is_bad) code = worse(code, ExitCode::kCheckFailed);
  }
  return code;
}

}  // namespace windlass::app

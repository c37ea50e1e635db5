#include "pin_report.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "json_text.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

namespace json = boost::json;

json::object to_json(const Error& error) {
  return {{"kind", to_string(error.code)}, {"message", error.message}};
}

json::object to_json(const PinnedImage& image) {
  json::object entry = {
      {"file", image.file},
      {"line", image.finding.location.line},
      {"column", image.finding.location.column},
      {"document", image.finding.document},
      {"path", image.finding.path},
      {"object", image.finding.object},
      {"container", image.finding.container},
      {"image", image.finding.text},
      {"uses", image.finding.uses},
      {"status", to_string(image.status)},
  };
  if (!image.pinned_text.empty()) entry["pinned"] = image.pinned_text;
  if (image.digest) entry["digest"] = image.digest->to_string();
  if (!image.reason.empty()) entry["reason"] = image.reason;
  if (image.error) entry["error"] = to_json(*image.error);
  return entry;
}

}  // namespace

std::string_view to_string(PinStatus status) {
  switch (status) {
    case PinStatus::kPinned: return "pinned";
    case PinStatus::kAlreadyPinned: return "already-pinned";
    case PinStatus::kUnpinned: return "unpinned";
    case PinStatus::kSkipped: return "skipped";
    case PinStatus::kFailed: return "failed";
  }
  return "failed";
}

std::string PinnedImage::place() const {
  return format("{}:{}:{}", printable(file), finding.location.line, finding.location.column);
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
      const bool is_input = image.finding.state == manifest::FindingState::kInvalid;
      code = worse(code, is_input ? ExitCode::kInput : exit_code_of_lookup(image.error->code));
    }
    if (check && image.status == PinStatus::kUnpinned) code = worse(code, ExitCode::kCheckFailed);
  }
  return code;
}

std::string PinReport::to_json(ExitCode code) const {
  json::array images_json;
  for (const PinnedImage& image : images) images_json.push_back(app::to_json(image));
  json::array errors_json;
  for (const Error& error : file_errors) errors_json.push_back(app::to_json(error));
  json::array changed_json(changed_files.begin(), changed_files.end());
  return indented(json::object{{"images", std::move(images_json)},
                               {"errors", std::move(errors_json)},
                               {"changedFiles", std::move(changed_json)},
                               {"exitCode", static_cast<int>(code)}});
}

}  // namespace windlass::app

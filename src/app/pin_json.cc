#include "pin_json.h"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include "json_text.h"
#include "windlass/base/text.h"

namespace windlass::app {

namespace json = boost::json;

std::string json_path(const std::string& path) {
  if (first_invalid_utf8(path) == std::string::npos) return path;
  return printable(path, path.size());
}

json::object to_json(const Error& error) {
  return {{"kind", to_string(error.code)}, {"message", error.message}};
}

json::object to_json(const PinnedImage& image) {
  const manifest::Finding& finding = image.finding;
  json::object entry = {{"file", json_path(image.file)},
                        {"line", finding.location.line},
                        {"column", finding.location.column},
                        {"document", finding.document},
                        {"path", finding.path},
                        {"object", finding.object},
                        {"container", finding.container},
                        {"image", finding.text},
                        {"uses", finding.uses},
                        {"rule", finding.rule},
                        {"status", to_string(image.status)}};
  if (!image.pinned_text.empty()) entry["pinned"] = image.pinned_text;
  if (image.digest) entry["digest"] = image.digest->to_string();
  if (image.before) entry["before"] = image.before->to_string();
  if (image.from_lock) entry["source"] = "lock";
  if (!image.credentials.empty()) {
    entry["source"] = "registry";
    entry["credentials"] = image.credentials;
    entry["tries"] = image.tries;
  }
  if (!image.media_type.empty()) {
    entry["mediaType"] = image.media_type;
    entry["kind"] = image.digest_kind();
  }
  if (!image.reason.empty()) entry["reason"] = image.reason;
  if (image.error) entry["error"] = to_json(*image.error);
  return entry;
}

std::string pin_json(const PinReport& report, ExitCode code) {
  json::array images;
  for (const PinnedImage& image : report.images) images.push_back(to_json(image));
  json::array errors;
  for (const Error& error : report.file_errors) errors.push_back(to_json(error));
  json::array changed;
  for (const std::string& file : report.changed_files)
    changed.push_back(json::value(json_path(file)));
  return indented(json::object{{"images", std::move(images)},
                               {"errors", std::move(errors)},
                               {"changedFiles", std::move(changed)},
                               {"exitCode", static_cast<int>(code)}});
}

std::string pin_ndjson(const PinReport& report) {
  std::string lines;
  for (const Error& error : report.file_errors) {
    lines += json::serialize(json::object{{"error", to_json(error)}}) + '\n';
  }
  for (const PinnedImage& image : report.images) {
    lines += json::serialize(to_json(image)) + '\n';
  }
  return lines;
}

}  // namespace windlass::app

#include "pin_sarif.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "json_text.h"
#include "pin_findings.h"
#include "version.h"
#include "windlass/base/format.h"

namespace windlass::app {
namespace {

namespace json = boost::json;

// A path as a relative URI: what is not plain in one is percent-encoded.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri;
  for (const char c : path) {
    if (kPlain.contains(c)) {
      uri += c;
    } else {
      uri += format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

json::object result_of(const Complaint& complaint) {
  json::object result = {{"ruleId", complaint.rule},
                         {"level", complaint.level},
                         {"message", {{"text", complaint.message}}}};
  if (complaint.file.empty()) return result;
  json::object location = {{"artifactLocation", {{"uri", uri_of(complaint.file)}}}};
  if (complaint.line > 0) {
    json::object region = {{"startLine", complaint.line}};
    if (complaint.column > 0) region["startColumn"] = complaint.column;
    location["region"] = std::move(region);
  }
  result["locations"] = json::array{json::object{{"physicalLocation", std::move(location)}}};
  return result;
}

}  // namespace

std::string pin_sarif(const PinReport& report) {
  json::array rules;
  for (const ComplaintRule& rule : complaint_rules()) {
    rules.push_back({{"id", rule.name}, {"shortDescription", {{"text", rule.text}}}});
  }
  json::array results;
  for (const Complaint& complaint : complaints_of(report)) results.push_back(result_of(complaint));
  json::object driver = {{"name", "windlass"}, {"version", kVersion}, {"rules", std::move(rules)}};
  json::object run = {{"tool", {{"driver", std::move(driver)}}},
                      {"columnKind", "unicodeCodePoints"},
                      {"results", std::move(results)}};
  return indented(json::object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                               {"version", "2.1.0"},
                               {"runs", json::array{std::move(run)}}});
}

}  // namespace windlass::app

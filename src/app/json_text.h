// JSON for output, indented for people who look, and JSON files of our own making, which people may
// have changed.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "windlass/base/result.h"

namespace windlass::app {

std::string indented(const boost::json::value& value);  // ends with a newline

// kInvalid, "file:line:column: not JSON: why"; the caller adds what to do.
Result<boost::json::value> parse_json(std::string_view file_name, std::string_view bytes);

struct VersionProblem {
  std::string what;
  bool is_newer = false;  // then kNewerProgram is what to do
};
inline constexpr std::string_view kNewerProgram = "use a newer windlass";

// What is wrong with "version" of a file whose newest one is `known`.
std::optional<VersionProblem> version_problem(const boost::json::value& root, int known);

}  // namespace windlass::app

#include "option.h"

#include <optional>

#include "duration_text.h"
#include "windlass/base/format.h"
#include "windlass/base/number.h"
#include "windlass/base/text.h"

namespace windlass::app {

// A flag in a configuration file is written with its value.
Setter to_flag(bool& target) {
  return [&target](std::string_view value) -> std::string {
    if (!value.empty() && value != "true" && value != "false") return "expected true or false";
    target = value != "false";
    return {};
  };
}

Setter to_value(std::string& target) {
  return [&target](std::string_view value) -> std::string {
    if (value.empty()) return "its value is empty";
    target = value;
    return {};
  };
}

Setter to_list(std::vector<std::string>& target) {
  return [&target](std::string_view value) -> std::string {
    if (value.empty()) return "its value is empty";
    target.emplace_back(value);
    return {};
  };
}

Setter to_number(int& target, int least, int most) {
  return [&target, least, most](std::string_view value) -> std::string {
    const auto number = parse_number<int>(value);
    if (!number || *number < least || *number > most) {
      return format("{} is not a number from {} to {}", windlass::quoted(value), least, most);
    }
    target = *number;
    return {};
  };
}

Setter to_rate(double& target) {
  return [&target](std::string_view value) -> std::string {
    const auto number = parse_number<double>(value);
    if (!number || !(*number >= 0.001 && *number <= 1e6)) {
      return format("{} is not a number from 0.001 to 1000000, such as 10 or 0.5",
                    windlass::quoted(value));
    }
    target = *number;
    return {};
  };
}

Setter to_duration(Duration& target) {
  return [&target](std::string_view value) -> std::string {
    const auto duration = parse_duration(value);
    if (!duration) {
      return windlass::quoted(value) +
             " is not a time above zero and up to a year, such as 500ms, 30s or 2m";
    }
    target = *duration;
    return {};
  };
}

}  // namespace windlass::app

#include "duration_text.h"

#include <charconv>

namespace windlass::app {

std::optional<Duration> parse_duration(std::string_view text) {
  using namespace std::chrono_literals;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  Duration one{};
  if (unit == "ms") one = 1ms;
  if (unit == "s" || unit.empty()) one = 1s;
  if (unit == "m" || unit == "min") one = 1min;
  if (unit == "h") one = 1h;
  const double value = number * static_cast<double>(one.count());
  // A year is more than anybody waits, and far from where the arithmetic ends.
  if (!(value >= 1) || value > static_cast<double>(Duration(8760h).count())) return std::nullopt;
  return Duration(static_cast<Duration::rep>(value));
}

}  // namespace windlass::app

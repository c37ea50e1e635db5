// Numbers in text that came from outside.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace windlass {

// `text` as a number, whatever the locale: all of it, without blanks, a '+' or a "0x" before it.
// nullopt when it is none, or more than a Number holds.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace windlass

#include "plain_scalar.h"

#include <algorithm>
#include <array>

#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_of(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_decimal(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  std::string_view mantissa = text.substr(0, exponent);
  if (!all_of(mantissa, "0123456789_.") || std::count(mantissa.begin(), mantissa.end(), '.') > 1 ||
      std::none_of(mantissa.begin(), mantissa.end(), is_digit))
    return false;
  if (exponent == std::string_view::npos) return true;
  std::string_view power = text.substr(exponent + 1);
  if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
  return all_of(power, "0123456789");
}

bool is_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.starts_with("0x")) return all_of(text.substr(2), "0123456789abcdefABCDEF_");
  if (text.starts_with("0o")) return all_of(text.substr(2), "01234567_");
  if (text.starts_with("0b")) return all_of(text.substr(2), "01_");
  const std::string lower = to_lower(text);
  return is_decimal(text) || lower == ".inf" || lower == ".nan";
}

// 2026-12-01, with or without a time behind it.
bool is_timestamp(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-dd";
  if (text.size() < kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == 'd' ? !is_digit(text[i]) : text[i] != kShape[i]) return false;
  }
  return text.size() == kShape.size() || text[kShape.size()] == 'T' || text[kShape.size()] == ' ';
}

}  // namespace

PlainMeaning meaning_of_plain(std::string_view text) {
  constexpr std::array<std::string_view, 6> kBooleans = {"true", "false", "yes", "no", "on", "off"};
  if (text.empty() || text == "~" || equals_ignoring_case(text, "null")) return PlainMeaning::kNull;
  if (std::any_of(kBooleans.begin(), kBooleans.end(),
                  [&](std::string_view word) { return equals_ignoring_case(word, text); }))
    return PlainMeaning::kBoolean;
  if (is_number(text)) return PlainMeaning::kNumber;
  return is_timestamp(text) ? PlainMeaning::kTimestamp : PlainMeaning::kText;
}

}  // namespace windlass::manifest

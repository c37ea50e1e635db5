#include "windlass/telemetry/field.h"

namespace windlass::telemetry {
namespace {

// A cut that goes through a UTF-8 sequence moves in front of it; text that is no UTF-8 is cut where
// the limit is.
std::string_view cut(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && bytes_max - end < 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return text.substr(0, (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U ? bytes_max : end);
}

}  // namespace

OwnedField OwnedField::copy_of(const Field& field, std::size_t text_bytes_max) {
  if (const auto* text = std::get_if<std::string_view>(&field.value))
    return {std::string(field.name), std::string(cut(*text, text_bytes_max))};
  if (const auto* number = std::get_if<std::int64_t>(&field.value))
    return {std::string(field.name), *number};
  if (const auto* number = std::get_if<double>(&field.value))
    return {std::string(field.name), *number};
  return {std::string(field.name), std::get<bool>(field.value)};
}

}  // namespace windlass::telemetry

#include "log_line.h"

#include <algorithm>

#include "json_text.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::telemetry_export {
namespace {

using telemetry::Field;
using telemetry::OwnedField;

bool is_clear(std::string_view text) {
  return !text.empty() && text.find_first_of(" =\"\\") == std::string_view::npos;
}

std::string shown(const Field& field, std::size_t text_bytes_max) {
  if (const auto* text = std::get_if<std::string_view>(&field.value)) {
    std::string out = printable(*text, text_bytes_max);
    return is_clear(*text) ? out : "\"" + out + "\"";
  }
  return std::visit([](const auto& value) { return format("{}", value); }, field.value);
}

void append_value(std::string& out, const OwnedField::Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    append_json_string(out, *text);
  } else if (const auto* number = std::get_if<double>(&value)) {
    append_json_number(out, *number);
  } else if (const auto* yes = std::get_if<bool>(&value)) {
    out += *yes ? "true" : "false";
  } else {
    out += format("{}", std::get<std::int64_t>(value));
  }
}

}  // namespace

std::string text_line(std::string_view message, std::span<const Field> fields,
                      std::size_t text_bytes_max) {
  std::string line = printable_message(message, text_bytes_max);
  for (const Field& field : fields)
    line += format(" {}={}", printable(field.name), shown(field, text_bytes_max));
  return line;
}

std::string json_members(std::string_view message, std::span<const Field> fields,
                         std::size_t text_bytes_max) {
  std::string line = R"("message":)";
  append_json_string(
      line, std::get<std::string>(OwnedField::copy_of({"", message}, text_bytes_max).value));
  for (auto field = fields.begin(); field != fields.end(); ++field) {
    const auto is_same = [&](const Field& other) { return other.name == field->name; };
    if (std::any_of(field + 1, fields.end(), is_same)) continue;
    const bool reserved =
        field->name == "time" || field->name == "level" || field->name == "message";
    line += ',';
    append_json_string(line, reserved ? std::string(field->name) + "_" : std::string(field->name));
    line += ':';
    append_value(line, OwnedField::copy_of(*field, text_bytes_max).value);
  }
  return line;
}

}  // namespace windlass::telemetry_export

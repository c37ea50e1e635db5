#include "json_text.h"

#include <algorithm>
#include <cmath>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/telemetry/metric_writer.h"

namespace windlass::telemetry_export {
namespace {

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  if (first_invalid_utf8(text) == std::string_view::npos) {
    append_escaped(out, text);
  } else {
    append_escaped(out, telemetry::valid_utf8(text));
  }
  out += '"';
}

void append_json_number(std::string& out, double number) {
  if (std::isnan(number)) {
    out += R"("NaN")";
  } else if (std::isinf(number)) {
    out += number > 0 ? R"("Infinity")" : R"("-Infinity")";
  } else {
    out += format("{}", number);
  }
}

}  // namespace windlass::telemetry_export

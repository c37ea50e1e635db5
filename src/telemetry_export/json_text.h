// Writing JSON whose texts may hold any bytes: what is no UTF-8 becomes U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace windlass::telemetry_export {

// Appends `text` as a JSON string, with its quotes.
void append_json_string(std::string& out, std::string_view text);

// A JSON number; NaN and infinities, which JSON lacks, as strings: "NaN", "Infinity", "-Infinity".
void append_json_number(std::string& out, double number);

}  // namespace windlass::telemetry_export

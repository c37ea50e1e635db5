// Base64 with the standard alphabet (RFC 4648, section 4).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace windlass::credentials {

std::string base64_encode(std::string_view bytes);

// Padding may be missing. Nothing else is forgiven.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace windlass::credentials

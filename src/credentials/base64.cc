#include "windlass/credentials/base64.h"

#include <cstdint>

namespace windlass::credentials {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64_encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = (bits << 8U) |
             (j < group.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(group[j]))
                               : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j)
      out += j <= group.size() ? kAlphabet[(bits >> (18U - 6U * j)) & 0x3FU] : '=';
  }
  return out;
}

std::optional<std::string> base64_decode(std::string_view text) {
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  const std::size_t rest = text.size() % 4;
  if (rest == 1 || (padding > 0 && (rest + padding) != 4)) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t value = kAlphabet.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>((bits >> count) & 0xFFU);
    }
  }
  return out;
}

}  // namespace windlass::credentials

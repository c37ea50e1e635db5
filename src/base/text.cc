#include "windlass/base/text.h"

#include <algorithm>
#include <cstdint>

#include "windlass/base/format.h"

namespace windlass {
namespace {

// Bytes of the valid UTF-8 sequence at the start of `text`, 0 when there is none. Table 3-7 of the
// Unicode standard.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

std::uint32_t decode(std::string_view sequence) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(sequence[i]));
  };
  switch (sequence.size()) {
    case 2: return ((byte(0) & 0x1FU) << 6U) | (byte(1) & 0x3FU);
    case 3: return ((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
    case 4:
      return ((byte(0) & 0x07U) << 18U) | ((byte(1) & 0x3FU) << 12U) | ((byte(2) & 0x3FU) << 6U) |
             (byte(3) & 0x3FU);
    default: return byte(0);
  }
}

// Characters that change what a reader sees without being seen: C1 controls, zero-width and
// bidirectional marks, the byte order mark, separators that some terminals take as a new line.
bool is_invisible(std::uint32_t code) {
  return (code >= 0x80 && code <= 0xA0) || code == 0xAD || (code >= 0x200B && code <= 0x200F) ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF;
}

void append_escaped(std::string& out, std::string_view sequence, bool escapes_quotes) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) {
    switch (lead) {
      case '\n': out += "\\n"; return;
      case '\r': out += "\\r"; return;
      case '\t': out += "\\t"; return;
      default: break;
    }
    if (escapes_quotes && (lead == '"' || lead == '\\')) out += '\\';
    if (lead < 0x20 || lead == 0x7F) {
      out += format("\\x{:02x}", lead);
    } else {
      out += static_cast<char>(lead);
    }
    return;
  }
  const std::uint32_t code = decode(sequence);
  if (is_invisible(code)) {
    out += format("\\u{:04x}", code);
  } else {
    out += sequence;
  }
}

std::string escaped(std::string_view text, std::size_t bytes_max, bool escapes_quotes) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    if (i + std::max<std::size_t>(length, 1) > bytes_max) return out + "...";
    if (length == 0) {
      out += format("\\x{:02x}", static_cast<unsigned char>(text[i]));
      ++i;
    } else {
      append_escaped(out, text.substr(i, length), escapes_quotes);
      i += length;
    }
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text, std::size_t bytes_max) {
  return escaped(text, bytes_max, true);
}

std::string printable_message(std::string_view text, std::size_t bytes_max) {
  return escaped(text, bytes_max, false);
}

std::string quoted(std::string_view text, std::size_t bytes_max) {
  return '"' + printable(text, bytes_max) + '"';
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && to_lower(a) == to_lower(b);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

TextPosition position_in(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
          .column = before.size() - line_start + 1};
}

std::size_t first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace windlass

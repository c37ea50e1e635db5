#include "scalar_text.h"

#include <utility>

namespace windlass::manifest {
namespace {

struct Character {
  char value;
  std::size_t size;  // bytes it takes; 0 when it is none that can be located
};

// The character that an escape in double quotes stands for, if it is ASCII.
Character unescape(std::string_view text) {
  if (text.size() < 2) return {};
  const std::size_t digits = text[1] == 'x' ? 2 : text[1] == 'u' ? 4 : text[1] == 'U' ? 8 : 0;
  if (digits == 0) return {.value = text[1], .size = text[1] == '/' || text[1] == '"' ? 2U : 0U};
  if (text.size() < 2 + digits) return {};
  const auto value = hex_value(text.substr(2, digits));
  if (!value || *value >= 0x80) return {};
  return {.value = static_cast<char>(*value), .size = 2 + digits};
}

// The bytes taken by a line break that double quotes swallow: a backslash at the end of a line and
// the blanks that the next line begins with.
std::size_t swallowed_break(std::string_view text) {
  std::size_t i = 1;
  if (i < text.size() && text[i] == '\r') ++i;
  if (i >= text.size() || text[i] != '\n') return 0;
  ++i;
  while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
  return i;
}

// Where the text of a block scalar begins: on the line behind its header, behind the indentation.
std::size_t block_begin(std::string_view bytes, Span span) {
  std::size_t i = bytes.find('\n', span.begin);
  if (i == std::string_view::npos || i >= span.end) return span.end;
  ++i;
  while (i < span.end && bytes[i] == ' ') ++i;
  return i;
}

}  // namespace

std::optional<unsigned> hex_value(std::string_view digits) {
  unsigned value = 0;
  for (const char c : digits) {
    const auto lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      value = value * 16 + static_cast<unsigned>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = value * 16 + static_cast<unsigned>(lower - 'a') + 10;
    } else {
      return std::nullopt;
    }
  }
  return value;
}

std::optional<ScalarText> ScalarText::locate(std::string_view bytes, Span span, ScalarStyle style,
                                             std::string_view text) {
  const bool is_block = style == ScalarStyle::kLiteral || style == ScalarStyle::kFolded;
  const bool is_double = style == ScalarStyle::kDoubleQuoted;
  std::size_t at =
      is_block ? block_begin(bytes, span) : span.begin + (style == ScalarStyle::kPlain ? 0U : 1U);
  const std::size_t begin = at;
  std::vector<Span> characters;
  characters.reserve(text.size());
  for (const char wanted : text) {
    const auto rest = [&] { return bytes.substr(at, span.end - at); };
    if (is_double && at < span.end && bytes[at] == '\\') at += swallowed_break(rest());
    if (at >= span.end) return std::nullopt;
    Character found{.value = bytes[at], .size = 1};
    if (is_double && found.value == '\\') found = unescape(rest());
    if (found.size == 0 || found.value != wanted) return std::nullopt;
    characters.push_back({.begin = at, .end = at + found.size});
    at += found.size;
  }
  return ScalarText(std::move(characters), begin);
}

Span ScalarText::bytes_of(std::size_t begin, std::size_t end) const {
  if (begin < end) return {characters_[begin].begin, characters_[end - 1].end};
  const std::size_t place = begin == 0 ? begin_ : characters_[begin - 1].end;
  return {place, place};
}

}  // namespace windlass::manifest

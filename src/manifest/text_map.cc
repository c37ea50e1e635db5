#include "text_map.h"

#include <algorithm>

#include "scalar_text.h"

namespace windlass::manifest {
namespace {

struct Character {
  char value = '\0';
  std::size_t size = 0;  // bytes it takes; 0 when it is none that can be located
};

// An escape in double quotes that stands for one byte.
Character unescape(std::string_view text) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (text.size() < 2) return {};
  const std::size_t letter = kLetters.find(text[1]);
  if (letter != std::string_view::npos) return {.value = kMeanings[letter], .size = 2};
  const std::size_t digits = text[1] == 'x' ? 2 : text[1] == 'u' ? 4 : 0;
  if (digits == 0 || text.size() < 2 + digits) return {};
  const auto value = hex_value(text.substr(2, digits));
  if (!value || *value >= 0x80) return {};
  return {.value = static_cast<char>(*value), .size = 2 + digits};
}

std::size_t count_blanks(std::string_view text) {
  return std::min(text.find_first_not_of(' '), text.size());
}

// The blanks in front of each line of a block scalar that are no part of its text: told by the
// first line that has something in it.
std::size_t indentation(std::string_view lines, std::string_view text) {
  for (;;) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    const std::string_view inner = text.substr(0, text.find('\n'));
    if (inner.find_first_not_of(' ') != std::string_view::npos) {
      const std::size_t outer = count_blanks(line);
      return outer - std::min(outer, count_blanks(inner));
    }
    if (line.size() == lines.size() || inner.size() == text.size()) return 0;
    lines.remove_prefix(line.size() + 1);
    text.remove_prefix(inner.size() + 1);
  }
}

}  // namespace

std::optional<TextMap> TextMap::locate(std::string_view bytes, Span span, ScalarStyle style,
                                       std::string_view text) {
  TextMap map;
  map.begins_.reserve(text.size());
  map.ends_.reserve(text.size());
  const bool is_block = style == ScalarStyle::kLiteral || style == ScalarStyle::kFolded;
  const bool found =
      is_block ? map.map_lines(bytes, span, text) : map.map_characters(bytes, span, style, text);
  if (!found) return std::nullopt;
  return map;
}

void TextMap::add(std::size_t begin, std::size_t size) {
  begins_.push_back(static_cast<std::uint32_t>(begin));
  ends_.push_back(static_cast<std::uint32_t>(begin + size));
}

bool TextMap::map_lines(std::string_view bytes, Span span, std::string_view text) {
  const std::string_view all = bytes.substr(0, span.end);
  std::size_t at = all.find('\n', span.begin);
  if (at == std::string_view::npos) return text.empty();
  ++at;
  const std::size_t indent = indentation(all.substr(at), text);
  bool begins_line = true;
  for (const char wanted : text) {
    if (begins_line) {
      const std::size_t blanks = count_blanks(all.substr(at));
      at += std::min(blanks, indent);
      if (begins_.empty()) first_ = at;
    }
    const std::size_t size = wanted == '\n' && all.substr(at).starts_with("\r\n") ? 2 : 1;
    if (at >= all.size() || all[at + size - 1] != wanted) return false;
    add(at, size);
    at += size;
    begins_line = wanted == '\n';
  }
  return true;
}

bool TextMap::map_characters(std::string_view bytes, Span span, ScalarStyle style,
                             std::string_view text) {
  const bool is_quoted = style != ScalarStyle::kPlain;
  std::size_t at = span.begin + (is_quoted ? 1 : 0);
  first_ = at;
  for (const char wanted : text) {
    const std::string_view rest = bytes.substr(at, span.end - at);
    if (rest.empty()) return false;
    Character found{.value = rest.front(), .size = 1};
    if (style == ScalarStyle::kDoubleQuoted && found.value == '\\') found = unescape(rest);
    if (style == ScalarStyle::kSingleQuoted && rest.starts_with("''")) found.size = 2;
    if (found.size == 1 && (found.value == '\n' || found.value == '\r')) return false;
    if (found.size == 0 || found.value != wanted) return false;
    add(at, found.size);
    at += found.size;
  }
  return at + (is_quoted ? 1 : 0) == span.end;
}

Span TextMap::in_file(Span in_text) const {
  if (in_text.size() > 0) return {begins_[in_text.begin], ends_[in_text.end - 1]};
  const std::size_t place = in_text.begin == 0 ? first_ : ends_[in_text.begin - 1];
  return {place, place};
}

}  // namespace windlass::manifest

#include "ignore_comment.h"

#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool says_ignore(std::string_view comment) {
  constexpr std::string_view kName = "windlass:";
  constexpr std::string_view kIgnore = "ignore";
  comment = trim(comment);
  if (!comment.starts_with(kName)) return false;
  comment = trim(comment.substr(kName.size()));
  if (!comment.starts_with(kIgnore)) return false;
  comment.remove_prefix(kIgnore.size());
  return comment.empty() || !(comment[0] == '-' || comment[0] == '_' ||
                              (to_lower(comment)[0] >= 'a' && to_lower(comment)[0] <= 'z'));
}

}  // namespace

bool has_ignore_comment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts_comment = text[i] == '#' && (i == 0 || is_blank(text[i - 1]));
    if (starts_comment && says_ignore(text.substr(i + 1, text.find('\n', i) - i - 1))) return true;
  }
  return false;
}

bool is_ignored(const SourceText& source, Span key, Span value, ScalarStyle style) {
  const std::string_view bytes = source.bytes();
  const std::size_t begin = key.size() > 0 ? key.begin : value.begin;
  const std::string_view above = trim(source.line_before(begin).of(bytes));
  if (above.starts_with('#') && has_ignore_comment(above)) return true;
  if (key.size() > 0 && has_ignore_comment(bytes.substr(key.end, value.begin - key.end)))
    return true;
  const bool is_block = style == ScalarStyle::kLiteral || style == ScalarStyle::kFolded;
  // A block scalar has its comment behind the header; what follows it is another line.
  const std::size_t tail = is_block ? value.begin : value.end;
  return has_ignore_comment(bytes.substr(tail, source.line_at(tail).end - tail));
}

}  // namespace windlass::manifest

#include "ignore_comment.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kName = "windlass:";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool says_ignore(std::string_view comment) {
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

IgnoreComments::IgnoreComments(const SourceText& source) : source_(&source) {
  const std::string_view bytes = source.bytes();
  // Nearly no file has one, and this looks at a few of its bytes only.
  const std::boyer_moore_horspool_searcher name(kName.begin(), kName.end());
  const auto next = [&](std::size_t from) {
    const auto found =
        std::search(bytes.begin() + static_cast<std::ptrdiff_t>(from), bytes.end(), name);
    return static_cast<std::size_t>(found - bytes.begin());
  };
  for (std::size_t at = next(0); at < bytes.size(); at = next(at + kName.size())) {
    std::size_t hash = at;
    while (hash > 0 && is_blank(bytes[hash - 1])) --hash;
    if (hash == 0 || bytes[hash - 1] != '#') continue;
    --hash;
    const Span line = source.line_at(hash);
    const std::string_view front = bytes.substr(line.begin, hash - line.begin);
    if (!front.empty() && !is_blank(front.back())) continue;
    if (!says_ignore(bytes.substr(hash + 1, line.end - hash - 1))) continue;
    comments_.push_back({.begin = hash, .is_alone = trim(front).empty()});
  }
}

const IgnoreComments::Comment* IgnoreComments::first_in(Span span) const {
  const auto found =
      std::lower_bound(comments_.begin(), comments_.end(), span.begin,
                       [](const Comment& comment, std::size_t at) { return comment.begin < at; });
  return found != comments_.end() && found->begin < span.end ? &*found : nullptr;
}

bool IgnoreComments::cover(Span key, Span value, ScalarStyle style) const {
  if (comments_.empty()) return false;
  const std::size_t begin = key.size() > 0 ? key.begin : value.begin;
  const Comment* above = first_in(source_->line_before(begin));
  if (above != nullptr && above->is_alone) return true;
  if (key.size() > 0 && first_in({.begin = key.end, .end = value.begin}) != nullptr) return true;
  const bool is_block = style == ScalarStyle::kLiteral || style == ScalarStyle::kFolded;
  // A block scalar has its comment behind the header; what follows it is another line.
  const std::size_t tail = is_block ? value.begin : value.end;
  return first_in({.begin = tail, .end = source_->line_at(tail).end}) != nullptr;
}

}  // namespace windlass::manifest

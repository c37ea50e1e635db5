#include "tag_comment.h"

#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kLabel = "tag:";
constexpr std::string_view kRatchet = "ratchet:";

// The rest of the value's line, without its line end.
std::string_view behind(const SourceText& source, std::size_t value_end) {
  std::string_view rest =
      source.bytes().substr(value_end, source.line_at(value_end).end - value_end);
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

// The text of the comment that `rest` is, behind its "#"; nullopt when it is anything else.
std::optional<std::string_view> comment_in(std::string_view rest) {
  const std::size_t hash = rest.find_first_not_of(kBlanks);
  if (hash == std::string_view::npos || hash == 0 || rest[hash] != '#') return std::nullopt;
  return rest.substr(hash + 1);
}

bool is_tag(std::string_view text) {
  constexpr std::string_view kCharacters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  constexpr std::size_t kSizeMax = 128;
  return !text.empty() && text.size() <= kSizeMax && text[0] != '.' && text[0] != '-' &&
         text.find_first_not_of(kCharacters) == std::string_view::npos;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(kBlanks));
}

// A comment of one word may be any word: a version, or the tag that everybody has, is a tag.
bool is_tag_alone(std::string_view comment) {
  return is_tag(comment) &&
         (comment == "latest" || comment.find_first_of("0123456789") != std::string_view::npos);
}

std::string_view tag_in(std::string_view comment, std::string_view name) {
  comment = trim(comment);
  if (is_tag_alone(comment)) return comment;
  if (comment.starts_with(kLabel)) return first_word(trim(comment.substr(kLabel.size())));
  if (comment.starts_with(kRatchet)) comment.remove_prefix(kRatchet.size());
  const std::string_view word = first_word(comment);
  if (word.starts_with(name) && word.substr(name.size()).starts_with(':'))
    return word.substr(name.size() + 1);
  return {};
}

}  // namespace

std::optional<TagComment> read_tag_comment(const SourceText& source, std::size_t value_end,
                                           std::string_view name) {
  const auto comment = comment_in(behind(source, value_end));
  if (!comment) return std::nullopt;
  const std::string_view tag = tag_in(*comment, name);
  if (!is_tag(tag)) return std::nullopt;
  const auto offset = [&](const char* at) {
    return static_cast<std::size_t>(at - source.bytes().data());
  };
  const std::size_t tag_end = offset(tag.data()) + tag.size();
  TagComment found{.tag = tag,
                   .bytes = {.begin = value_end, .end = tag_end},
                   .removable = {.begin = value_end, .end = tag_end}};
  const std::string_view more =
      trim(source.bytes().substr(tag_end, offset(comment->data()) + comment->size() - tag_end));
  if (!more.empty() && !more.starts_with('#'))
    found.removable = {.begin = offset(trim(*comment).data()), .end = offset(more.data())};
  return found;
}

bool may_have_comment(const SourceText& source, Span value) {
  if (value.of(source.bytes()).find_first_of("\r\n") != std::string_view::npos) return false;
  const std::string_view rest = behind(source, value.end);
  if (rest.find_first_not_of(kBlanks) == std::string_view::npos) return true;
  const auto comment = comment_in(rest);
  // Such as Flux's {"$imagepolicy": ...}.
  return comment && !trim(*comment).starts_with('{');
}

std::string tag_comment(std::string_view tag) { return "  # tag: " + std::string(tag); }

}  // namespace windlass::manifest

#include "image_words.h"

#include <algorithm>

#include "windlass/image/image_reference.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kDelimiters = " \t\r\n\"'`,;=()<>{}[]|&\\$";
constexpr std::string_view kDockerScheme = "docker://";
constexpr std::size_t kWordBytesMax = 1000;

bool looks_like_image(std::string_view text) {
  if (text.size() > kWordBytesMax || !text.contains('/')) return false;
  const auto reference = image::ImageReference::parse(text);
  if (!reference) return false;
  if (reference->is_pinned()) return true;
  const std::string_view first = text.substr(0, text.find('/'));
  return reference->has_written_tag() && first.size() < text.size() &&
         (first.contains('.') || first.contains(':') || first == "localhost");
}

}  // namespace

void for_each_image_word(std::string_view bytes, Span span,
                         const std::function<void(Span word)>& found) {
  const std::string_view before_end = bytes.substr(0, span.end);
  for (std::size_t begin = span.begin; begin < span.end;) {
    const std::size_t end = std::min(before_end.find_first_of(kDelimiters, begin), span.end);
    Span word{.begin = begin, .end = end};
    if (word.of(bytes).starts_with(kDockerScheme)) word.begin += kDockerScheme.size();
    // A sentence may end behind it.
    while (word.size() > 0 && std::string_view(".:").contains(bytes[word.end - 1])) --word.end;
    if (looks_like_image(word.of(bytes))) found(word);
    begin = end + 1;
  }
}

void for_each_image_word_in_comments(std::string_view bytes, Span span,
                                     const std::function<void(Span word)>& found) {
  // Nothing behind the span is looked at: there is one call for each gap between values.
  const std::string_view before_end = bytes.substr(0, span.end);
  for (std::size_t hash = before_end.find('#', span.begin); hash < span.end;
       hash = before_end.find('#', hash + 1)) {
    const bool starts_comment = hash == 0 || std::string_view(" \t\r\n").contains(bytes[hash - 1]);
    if (!starts_comment) continue;
    const std::size_t end = std::min(before_end.find_first_of("\r\n", hash), span.end);
    for_each_image_word(bytes, {.begin = hash + 1, .end = end}, found);
    hash = end;
  }
}

}  // namespace windlass::manifest

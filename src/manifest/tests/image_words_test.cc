#include "image_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace windlass::manifest {
namespace {

std::vector<std::string> in_comments(const std::string& text, Span span) {
  std::vector<std::string> words;
  for_each_image_word_in_comments(text, span,
                                  [&](Span word) { words.emplace_back(word.of(text)); });
  return words;
}

TEST(ImageWords, OfACommentEndWithItAndWithTheSpan) {
  const std::string text = "a: b # r.test/a:1, r.test/b:2\nc: r.test/c:3#r.test/d:4\n";
  EXPECT_EQ(in_comments(text, {.begin = 0, .end = text.size()}),
            (std::vector<std::string>{"r.test/a:1", "r.test/b:2"}));
  EXPECT_EQ(in_comments(text, {.begin = 0, .end = text.find(',')}),
            std::vector<std::string>{"r.test/a:1"});
  EXPECT_TRUE(in_comments(text, {.begin = 0, .end = 3}).empty());
}

// A search to the end of the text for each of its gaps would take hours here.
TEST(ImageWords, AreLookedForWithinTheSpanOnly) {
  const std::string text(1U << 24U, 'x');
  std::size_t found = 0;
  for (std::size_t begin = 0; begin + 8 < text.size(); begin += 8) {
    const Span span{.begin = begin, .end = begin + 8};
    for_each_image_word(text, span, [&](Span) { ++found; });
    for_each_image_word_in_comments(text, span, [&](Span) { ++found; });
  }
  EXPECT_EQ(found, 0U);
}

}  // namespace
}  // namespace windlass::manifest

#include "glob.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace windlass::credentials {
namespace {

TEST(Glob, MatchesAsGosPathMatch) {
  struct Row {
    std::string_view pattern;
    std::string_view text;
    bool matches;
  };
  const Row table[] = {
      {"abc", "abc", true},
      {"abc", "abd", false},
      {"", "", true},
      {"*", "", true},
      {"*", "abc", true},
      {"*c", "abc", true},
      {"a*", "a", true},
      {"a*b*c", "axbxbc", true},
      {"a*b*c", "axbxb", false},
      {"a?c", "abc", true},
      {"a?c", "ac", false},
      {"[abc]x", "bx", true},
      {"[a-c]x", "bx", true},
      {"[^a-c]x", "bx", false},
      {"[^a-c]x", "dx", true},
      {"[a-cx]", "x", true},
      {"a[^b]", "a", false},
      {"\\*", "*", true},
      {"\\*", "a", false},
      {"[\\-x]", "-", true},
      {"[\\]a]", "]", true},
      {"*-docker", "eu-docker", true},
      {"*-docker", "eu-dockers", false},
      {"**", "x", true},
  };
  for (const Row& row : table) {
    EXPECT_TRUE(is_glob(row.pattern)) << row.pattern;
    EXPECT_EQ(glob_matches(row.pattern, row.text), row.matches) << row.pattern << ' ' << row.text;
  }
}

TEST(Glob, MalformedOnesMatchNothing) {
  for (const std::string_view pattern :
       {"[", "[a", "[a-", "[a-]", "[]a]", "[-x]", "[x-]", "a\\", "[^]", "[", "[\\", "ab[", "*["}) {
    EXPECT_FALSE(is_glob(pattern)) << pattern;
    EXPECT_FALSE(glob_matches(pattern, pattern)) << pattern;
    EXPECT_FALSE(glob_matches(pattern, "a")) << pattern;
  }
}

TEST(Glob, ManyStarsTakeNoLongTime) {
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "a*";
  EXPECT_FALSE(glob_matches(stars + "b", std::string(2000, 'a')));
}

// Stars and question marks alone, the plain recursive way.
bool simple(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*')
    return simple(pattern.substr(1), text) || (!text.empty() && simple(pattern, text.substr(1)));
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         simple(pattern.substr(1), text.substr(1));
}

RC_GTEST_PROP(Glob, AgreesWithThePlainDefinition, ()) {
  const auto letters = [](const char* from) {
    return *rc::gen::resize(8,
                            rc::gen::container<std::string>(rc::gen::elementOf(std::string(from))));
  };
  const std::string pattern = letters("ab*?");
  const std::string text = letters("ab");
  RC_ASSERT(glob_matches(pattern, text) == simple(pattern, text));
}

}  // namespace
}  // namespace windlass::credentials

#include "windlass/base/text.h"

#include <gtest/gtest.h>

namespace windlass {
namespace {

TEST(Printable, MakesOddCharactersVisible) {
  const std::pair<std::string_view, const char*> table[] = {
      {"plain", "plain"},
      {"a\nb\rc\td", "a\\nb\\rc\\td"},
      {"\x1b[31mred", "\\x1b[31mred"},
      {{"nul\0end", 7}, "nul\\x00end"},
      {"say \"hi\" \\", "say \\\"hi\\\" \\\\"},
      {"h\xC3\xA9llo", "h\xC3\xA9llo"},
      {"zero\xE2\x80\x8Bwidth", "zero\\u200bwidth"},
      {"bidi\xE2\x80\xAE", "bidi\\u202e"},
      {"bad\xFFutf", "bad\\xffutf"},
      {"cut\xE2\x82", "cut\\xe2\\x82"},
  };
  for (const auto& [text, shown] : table) EXPECT_EQ(printable(text), shown);
}

TEST(Printable, CutsWithoutSplittingACharacter) {
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("ab\xE2\x82\xAC", 3), "ab...");
  EXPECT_EQ(printable("abc", 3), "abc");
}

TEST(PrintableMessage, LeavesQuotesAndBackslashesSoThatNothingIsEscapedTwice) {
  EXPECT_EQ(printable_message("\"a\\n\"\n\x1b"), "\"a\\n\"\\n\\x1b");
  const std::string once = printable_message("x\"\x1b\\\n");
  EXPECT_EQ(printable_message(once), once);
}

TEST(Utf8, FindsTheFirstByteThatIsNotValid) {
  const std::pair<std::string_view, std::size_t> table[] = {
      {"", std::string_view::npos},
      {"h\xC3\xA9llo \xF0\x9F\x98\x80", std::string_view::npos},
      {"ab\xFF", 2},
      {"\xC0\xAF", 0},           // overlong
      {"x\xED\xA0\x80", 1},      // surrogate
      {"x\xF4\x90\x80\x80", 1},  // above U+10FFFF
      {"cut\xE2\x82", 3},
  };
  for (const auto& [text, offset] : table)
    EXPECT_EQ(first_invalid_utf8(text), offset) << printable(text);
}

TEST(Text, TrimAndCaseAreAsciiOnly) {
  EXPECT_EQ(trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(to_lower("GCR.IO/\xC3\x84"), "gcr.io/\xC3\x84");
  EXPECT_TRUE(equals_ignoring_case("Bearer", "bEARER"));
  EXPECT_FALSE(equals_ignoring_case("Bearer", "Basic"));
}

TEST(PositionIn, CountsLinesAndBytesFromOne) {
  struct Row {
    std::string_view text;
    std::size_t offset, line, column;
  };
  const Row table[] = {{"", 0, 1, 1},     {"ab", 1, 1, 2},        {"a\nb", 2, 2, 1},
                       {"a\nb", 1, 1, 2}, {"a\r\n\nbc", 5, 3, 2}, {"a\n", 2, 2, 1}};
  for (const Row& row : table) {
    const TextPosition at = position_in(row.text, row.offset);
    EXPECT_EQ(at.line, row.line) << row.text << row.offset;
    EXPECT_EQ(at.column, row.column) << row.text << row.offset;
  }
}

}  // namespace
}  // namespace windlass

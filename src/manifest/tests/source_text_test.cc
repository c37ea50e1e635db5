#include "source_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace windlass::manifest {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::string_view kAccent = "\xC3\xA9";
constexpr std::string_view kEmoji = "\xF0\x9F\x98\x80";

TEST(SourceText, CountsLinesFromLineFeedsAndColumnsInCharacters) {
  const std::string text = "ab\r\n" + std::string(kAccent) + "x\n\n" + std::string(kEmoji) + "y";
  const auto source = SourceText::create("f", text);
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ(source->location(0), (Location{1, 1}));
  EXPECT_EQ(source->location(2), (Location{1, 3}));
  EXPECT_EQ(source->location(text.find('x')), (Location{2, 2}));
  EXPECT_EQ(source->location(text.find('y')), (Location{4, 2}));
  EXPECT_EQ(source->location(text.size()), (Location{4, 3}));
  // NEL and the line separator are no line ends to an editor.
  const auto odd = SourceText::create("f",
                                      "a\xC2\x85"
                                      "b\xE2\x80\xA8"
                                      "c");
  EXPECT_EQ(odd->location(7), (Location{1, 5}));
}

TEST(SourceText, LeavesAByteOrderMarkOutOfColumnsAndCharacters) {
  const std::string text = std::string(kBom) + "ab\nc";
  const auto source = SourceText::create("f", text);
  EXPECT_EQ(source->text_begin(), 3U);
  EXPECT_EQ(source->byte_of(0), 3U);
  EXPECT_EQ(source->location(4), (Location{1, 2}));
  EXPECT_EQ(source->location(6), (Location{2, 1}));
}

TEST(SourceText, RefusesOtherEncodingsAndNamesThePlace) {
  using namespace std::string_view_literals;
  const std::pair<std::string_view, std::string> table[] = {
      {"\xFF\xFE"
       "a\0"sv,
       "f:1:1: the file is UTF-16 or binary: save it as UTF-8"},
      {"\xFE\xFF\0a"sv, "f:1:1: the file is UTF-16 or binary: save it as UTF-8"},
      {"a\0b\0"sv, "f:1:1: the file is UTF-16 or binary: save it as UTF-8"},
      {"\0a\0b"sv, "f:1:1: the file is UTF-16 or binary: save it as UTF-8"},
      {"ok\n\xC3\xA9 \xE9t\xE9", "f:2:3: byte 0xe9 is not UTF-8: save the file as UTF-8"},
  };
  for (const auto& [bytes, message] : table) {
    const auto source = SourceText::create("f", bytes);
    ASSERT_FALSE(source.has_value());
    EXPECT_EQ(source.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(source.error().message, message);
  }
}

TEST(SourceText, GivesTheLineAndTheLineAbove) {
  const std::string text = "one\ntwo\n\nfour";
  const auto source = SourceText::create("f", text);
  EXPECT_EQ(source->line_at(5).of(text), "two");
  EXPECT_EQ(source->line_at(7).of(text), "two");
  EXPECT_EQ(source->line_at(13).of(text), "four");
  EXPECT_EQ(source->line_before(5).of(text), "one");
  EXPECT_EQ(source->line_before(0).of(text), "");
  EXPECT_EQ(source->line_before(10).of(text), "");
}

RC_GTEST_PROP(SourceTextProperties, EveryCharacterIsAtTheByteWhereItWasPut, ()) {
  const auto characters =
      *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
          "a", "\n", std::string(kAccent), "\xE2\x82\xAC", std::string(kEmoji)));
  std::string text(*rc::gen::arbitrary<bool>() ? kBom : "");
  std::vector<std::size_t> begins;
  for (int repeat = 0; repeat < 4; ++repeat) {
    for (const std::string& character : characters) {
      begins.push_back(text.size());
      text += character;
    }
  }
  const auto source = SourceText::create("f", text);
  RC_ASSERT(source.has_value());
  for (std::size_t i = 0; i < begins.size(); ++i) RC_ASSERT(source->byte_of(i) == begins[i]);
  RC_ASSERT(source->byte_of(begins.size()) == text.size());
}

}  // namespace
}  // namespace windlass::manifest

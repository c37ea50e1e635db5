#include "json_text.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <limits>
#include <string>

namespace windlass::telemetry_export {
namespace {

std::string string_of(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonText, EscapesAndReplacesWhatJsonForbids) {
  const std::pair<std::string, std::string> table[] = {
      {"", R"("")"},
      {"plain \u20ac", "\"plain \u20ac\""},
      {"a\"b\\c", R"("a\"b\\c")"},
      {"line\nnext\ttab\x7f", R"("line\nnext\u0009tab\u007f")"},
      {std::string("\0", 1), R"("\u0000")"},
      {"\xff", "\"\uFFFD\""},
      {"a\xe2\x82", "\"a\uFFFD\uFFFD\""},
      {"\xed\xa0\x80", "\"\uFFFD\uFFFD\uFFFD\""},
  };
  for (const auto& [text, json] : table) EXPECT_EQ(string_of(text), json);
}

TEST(JsonText, EachPairOfBytesIsAValidString) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text{static_cast<char>(first), static_cast<char>(second)};
      boost::system::error_code error;
      boost::json::parse(string_of(text), error);
      ASSERT_FALSE(error) << first << ' ' << second;
    }
  }
}

TEST(JsonText, NumbersThatJsonLacksAreStrings) {
  const std::pair<double, const char*> table[] = {
      {1.5, "1.5"},
      {-0.25, "-0.25"},
      {1e300, "1e+300"},
      {std::numeric_limits<double>::quiet_NaN(), R"("NaN")"},
      {std::numeric_limits<double>::infinity(), R"("Infinity")"},
      {-std::numeric_limits<double>::infinity(), R"("-Infinity")"},
  };
  for (const auto& [number, json] : table) {
    std::string out;
    append_json_number(out, number);
    EXPECT_EQ(out, json);
  }
}

}  // namespace
}  // namespace windlass::telemetry_export

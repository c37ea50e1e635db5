#include "log_line.h"

#include <gtest/gtest.h>

namespace windlass::telemetry_export {
namespace {

using telemetry::Field;

TEST(TextLine, QuotesValuesThatWouldBeUnclear) {
  const Field fields[] = {{"queue", "pods"}, {"n", 3},      {"empty", ""}, {"blank", "a b"},
                          {"quote", "a\"b"}, {"yes", true}, {"d", 1.5}};
  EXPECT_EQ(text_line("took a key", fields, 100),
            R"(took a key queue=pods n=3 empty="" blank="a b" quote="a\"b" yes=true d=1.5)");
}

TEST(TextLine, AMessageKeepsItsQuotesAndNoControlCharacter) {
  EXPECT_EQ(text_line("requeuing \"a\" due to\n", {}, 100), R"(requeuing "a" due to\n)");
}

TEST(TextLine, ShowsNothingThatATerminalWouldObey) {
  const Field fields[] = {{"key", "a\x1b[31m\nforged line"}};
  const std::string line = text_line("mess\nage", fields, 100);
  EXPECT_EQ(line.find_first_of("\n\x1b"), std::string::npos);
}

TEST(JsonMembers, HoldTheLastOfEachNameAndNoReservedOne) {
  const Field fields[] = {{"key", "a"}, {"level", "x"}, {"key", "b"}, {"n", -1}, {"no", false}};
  EXPECT_EQ(json_members("took \"it\"", fields, 100),
            R"("message":"took \"it\"","level_":"x","key":"b","n":-1,"no":false)");
}

TEST(JsonMembers, CutsLongTexts) {
  const Field fields[] = {{"key", "abcdef"}};
  EXPECT_EQ(json_members("abcdef", fields, 3), R"("message":"abc","key":"abc")");
}

}  // namespace
}  // namespace windlass::telemetry_export

#include "windlass/telemetry/field.h"

#include <gtest/gtest.h>

namespace windlass::telemetry {
namespace {

TEST(Field, TakesWhateverIntegersThereAre) {
  EXPECT_EQ(Field("n", 7).value, Field::Value(std::int64_t{7}));
  EXPECT_EQ(Field("n", std::size_t{7}).value, Field::Value(std::int64_t{7}));
  EXPECT_EQ(Field("n", std::uint32_t{7}).value, Field::Value(std::int64_t{7}));
  EXPECT_EQ(Field("n", UINT64_MAX).value, Field::Value(INT64_MAX));
  EXPECT_EQ(Field("n", true).value, Field::Value(true));
}

TEST(Field, ShowsDurationsInSeconds) {
  EXPECT_EQ(Field("delay_seconds", std::chrono::milliseconds(1500)).value, Field::Value(1.5));
}

TEST(Field, TakesAnErrorWithoutItsCode) {
  const Error error{.code = ErrorCode::kTimedOut, .message = "timed out after 10 s"};
  const Field field = error;
  EXPECT_EQ(field.name, "error");
  EXPECT_EQ(field.value, Field::Value(std::string_view("timed out after 10 s")));
}

TEST(OwnedField, CutsTextInFrontOfASequenceThatDoesNotFit) {
  const std::pair<std::size_t, std::string> table[] = {
      {0, ""}, {1, "a"}, {2, "a"}, {3, "a"}, {4, "a\u20ac"}, {5, "a\u20acb"}, {9, "a\u20acb"}};
  for (const auto& [limit, text] : table)
    EXPECT_EQ(OwnedField::copy_of({"f", "a\u20acb"}, limit), (OwnedField{"f", text})) << limit;
  EXPECT_EQ(OwnedField::copy_of({"f", "\x80\x80\x80\x80\x80\x80"}, 4),
            (OwnedField{"f", std::string("\x80\x80\x80\x80")}));
}

}  // namespace
}  // namespace windlass::telemetry

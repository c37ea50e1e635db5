#include "windlass/http/message.h"

#include <gtest/gtest.h>

namespace windlass::http {
namespace {

TEST(Headers, NamesCompareWithoutRegardToCase) {
  const Headers headers{
      {"Content-Type", "a"}, {"WWW-Authenticate", "one"}, {"www-authenticate", "two"}};
  ASSERT_NE(headers.find("content-TYPE"), nullptr);
  EXPECT_EQ(*headers.find("content-TYPE"), "a");
  EXPECT_EQ(headers.find("Content-Typ"), nullptr);
  EXPECT_EQ(headers.all("Www-Authenticate"), (std::vector<std::string_view>{"one", "two"}));
}

TEST(Headers, EraseValuesLeavesNothing) {
  Headers headers{{"Authorization", "Basic c2VjcmV0"}};
  headers.erase_values();
  EXPECT_EQ(headers.size(), 0U);
}

}  // namespace
}  // namespace windlass::http

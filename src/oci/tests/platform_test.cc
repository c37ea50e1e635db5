#include "windlass/oci/platform.h"

#include <gtest/gtest.h>

namespace windlass::oci {
namespace {

TEST(Platform, KeepsOneNameForEachMachine) {
  struct Row {
    std::string_view text;
    std::string_view kept;
  };
  const Row table[] = {
      {"linux/amd64", "linux/amd64"},     {"Linux/AMD64", "linux/amd64"},
      {"linux/x86_64", "linux/amd64"},    {"linux/aarch64", "linux/arm64"},
      {"linux/arm64/v8", "linux/arm64"},  {"linux/arm64/v9", "linux/arm64/v9"},
      {"linux/arm/v7", "linux/arm/v7"},   {"linux/arm/7", "linux/arm/v7"},
      {"linux/armhf", "linux/arm/v7"},    {"linux/armel", "linux/arm/v6"},
      {"linux/amd64/v1", "linux/amd64"},  {"linux/amd64/v3", "linux/amd64/v3"},
      {"windows/amd64", "windows/amd64"}, {"macos/arm64", "darwin/arm64"},
      {"linux/i686", "linux/386"},        {"linux/riscv64", "linux/riscv64"},
  };
  for (const Row& row : table) {
    const auto platform = Platform::parse(row.text);
    ASSERT_TRUE(platform.has_value()) << row.text;
    EXPECT_EQ(platform->to_string(), row.kept);
    EXPECT_EQ(Platform::parse(platform->to_string()), platform);
  }
}

TEST(Platform, WhatIsNoneIsQuoted) {
  for (const std::string_view text : {"", "linux", "linux/", "/amd64", "linux/arm/v7/x", "li nux/a",
                                      "linux//v7", "linux/amd64\n", "linux/a\x1b"}) {
    const auto platform = Platform::parse(text);
    ASSERT_FALSE(platform.has_value()) << text;
    EXPECT_TRUE(platform.error().message.starts_with('"')) << platform.error().message;
    EXPECT_EQ(platform.error().message.find('\x1b'), std::string::npos);
  }
}

int fits(std::string_view wanted, std::string_view offered) {
  return fitness(*Platform::parse(wanted), *Platform::parse(offered));
}

TEST(Platform, AVariantThatIsNamedIsTheOnlyOneThatFits) {
  EXPECT_GT(fits("linux/arm/v7", "linux/arm/v7"), 0);
  EXPECT_EQ(fits("linux/arm/v7", "linux/arm/v6"), 0);
  EXPECT_EQ(fits("linux/arm/v7", "linux/arm64/v8"), 0);
  EXPECT_EQ(fits("linux/arm64", "linux/arm/v7"), 0);
  EXPECT_EQ(fits("windows/amd64", "linux/amd64"), 0);
  EXPECT_EQ(fits("unknown/unknown", "unknown/unknown"), 0);
}

TEST(Platform, WithoutAVariantTheMostUsualOneFitsBest) {
  EXPECT_GT(fits("linux/arm", "linux/arm/v7"), fits("linux/arm", "linux/arm/v6"));
  EXPECT_GT(fits("linux/arm", "linux/arm/v6"), 0);
  EXPECT_GT(fits("linux/amd64", "linux/amd64"), fits("linux/amd64", "linux/amd64/v2"));
  EXPECT_GT(fits("linux/amd64", "linux/amd64/v2"), fits("linux/amd64", "linux/amd64/v3"));
  EXPECT_EQ(fits("linux/arm64", "linux/arm64/v8"), fits("linux/arm64", "linux/arm64"));
}

}  // namespace
}  // namespace windlass::oci

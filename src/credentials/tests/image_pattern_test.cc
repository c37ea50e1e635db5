#include "windlass/credentials/image_pattern.h"

#include <gtest/gtest.h>

namespace windlass::credentials {
namespace {

bool covers(std::string_view pattern, std::string_view image) {
  const Result<ImagePattern> parsed = ImagePattern::parse(pattern);
  EXPECT_TRUE(parsed.has_value()) << parsed.error().message;
  return parsed && parsed->covers(*image::ImageReference::parse(image));
}

TEST(ImagePattern, CoversWhatTheKubeletPullsWithIt) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"registry.test", "registry.test/app"},
      {"https://registry.test/v1/", "registry.test/app"},
      {"http://registry.test/v2/", "registry.test/app"},
      {"REGISTRY.test", "registry.test/app"},
      {"registry.test:5000", "registry.test:5000/app"},
      {"*.registry.test", "eu.registry.test/app"},
      {"*.*.registry.test", "a.b.registry.test/app"},
      {"*-docker.pkg.dev", "eu-docker.pkg.dev/p/app"},
      {"*.dkr.ecr.*.amazonaws.com", "123456789012.dkr.ecr.eu-west-1.amazonaws.com/app"},
      {"registry.*:5000", "registry.test:5000/app"},
      {"registry.test/team", "registry.test/team/app"},
      {"registry.test/team/", "registry.test/team/app"},
      {"registry.test/team/app", "registry.test/team/app:v1"},
      {"*.test/team", "registry.test/team/app"},
      {"[::1]:5000", "[::1]:5000/app"},
      {"127.0.0.1:5000", "127.0.0.1:5000/app"},
  };
  for (const auto& [pattern, image] : table) EXPECT_TRUE(covers(pattern, image)) << pattern;
}

TEST(ImagePattern, CoversNothingElse) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"registry.test", "registry.test:443/app"},
      {"registry.test:443", "registry.test/app"},
      {"registry.test:500", "registry.test:5000/app"},
      {"*.test", "a.registry.test/app"},
      {"*", "registry.test/app"},
      {"*.registry.test", "registry.test/app"},
      {"registry.test/team", "registry.test/teammate/app"},
      {"registry.test/team", "registry.test/app"},
      {"registry.test/team/app/x", "registry.test/team/app"},
      {"xregistry.test", "registry.test/app"},
      {"[::1]:5000", "[::2]:5000/app"},
      {"*:5000", "[::1]:5000/app"},
  };
  for (const auto& [pattern, image] : table) EXPECT_FALSE(covers(pattern, image)) << pattern;
}

TEST(ImagePattern, AnyNameOfDockerHubCoversItsImages) {
  for (const std::string_view pattern :
       {"docker.io", "index.docker.io", "https://index.docker.io/v1/",
        "https://index.docker.io/v2/", "registry-1.docker.io", "*.docker.io", "docker.*",
        "docker.io/library"})
    EXPECT_TRUE(covers(pattern, "nginx")) << pattern;
  EXPECT_FALSE(covers("docker.io/team", "nginx"));
  EXPECT_FALSE(covers("quay.io", "nginx"));
}

TEST(ImagePattern, WhatNamesNoHostOrIsNoWildcardIsRefused) {
  for (const std::string_view text :
       {"", "   ", "https://", "/team", ":5000", "reg[istry.test", "registry.test\\"}) {
    const Result<ImagePattern> parsed = ImagePattern::parse(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalid);
  }
}

TEST(ImagePattern, TheTextInDescendingOrderPutsTheMoreSpecificFirst) {
  const auto text = [](std::string_view pattern) { return ImagePattern::parse(pattern)->text(); };
  EXPECT_GT(text("quay.io/team/app"), text("quay.io/team"));
  EXPECT_GT(text("quay.io/team"), text("https://quay.io/v2/"));
  EXPECT_GT(text("quay.io"), text("*.io"));
}

}  // namespace
}  // namespace windlass::credentials

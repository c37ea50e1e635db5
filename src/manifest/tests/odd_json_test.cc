#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

TEST(OddJson, IsLeftAloneWithAReason) {
  const std::pair<std::string, std::string> table[] = {
      {"{\"a\": {}, // why\n}", "JSON with comments (line 1), as no manifest has it"},
      {"{\"image\": \"nginx:1\",\n/* why */}",
       "JSON with comments (line 2), as no manifest has it"},
      {"{\"a\": [1],\n}", "JSON with a last comma (line 1), as no manifest has it"},
  };
  for (const auto& [text, reason] : table) {
    const auto manifest = Manifest::parse("tsconfig.json", text);
    ASSERT_TRUE(manifest.has_value()) << text << manifest.error().message;
    EXPECT_TRUE(manifest->left_alone().starts_with(reason)) << manifest->left_alone();
    EXPECT_EQ(manifest->bytes(), text);
    EXPECT_TRUE(manifest->findings().empty());
  }
}

TEST(OddJson, WhatMayBeABrokenManifestIsAnError) {
  EXPECT_FALSE(Manifest::parse("pod.json", "{\"image\": \"http://a\",}").has_value());
  EXPECT_FALSE(Manifest::parse("pod.json", "{\"image\": \"\\\"//\"").has_value());
  EXPECT_FALSE(Manifest::parse("pod.json", "{\"a\": 1, \"a\": 2}").has_value());
  EXPECT_FALSE(Manifest::parse("pod.yaml", "{\"a\": // why\n [}").has_value());
}

}  // namespace
}  // namespace windlass::manifest

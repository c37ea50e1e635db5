#include "windlass/oci/manifest.h"

#include <gtest/gtest.h>

#include "windlass/base/format.h"

namespace windlass::oci {
namespace {

std::string digest(char c) { return "sha256:" + std::string(64, c); }

std::string entry(char c, std::string_view os, std::string_view machine,
                  std::string_view variant = "") {
  return format(R"({{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"{}",)"
                R"("size":7,"platform":{{"os":"{}","architecture":"{}","variant":"{}"}}}})",
                digest(c), os, machine, variant);
}

std::string index(std::string_view entries) {
  return format(R"({{"schemaVersion":2,"manifests":[{}]}})", entries);
}

TEST(Manifest, ItsShapeTellsTheKind) {
  using Kind = Manifest::Kind;
  struct Row {
    std::string_view body;
    Kind kind;
  };
  const Row table[] = {
      {R"({"schemaVersion":2,"config":{},"layers":[]})", Kind::kImage},
      {R"({"schemaVersion":2,"manifests":[]})", Kind::kIndex},
      {R"({"mediaType":"application/vnd.oci.image.index.v1+json"})", Kind::kIndex},
      {R"({"mediaType":"application/vnd.docker.distribution.manifest.v2+json"})", Kind::kImage},
      {R"({"schemaVersion":1,"fsLayers":[]})", Kind::kSchema1},
      {R"({"schemaVersion":2,"manifests":7})", Kind::kImage},
  };
  for (const Row& row : table) {
    const auto manifest = parse_manifest(row.body);
    ASSERT_TRUE(manifest.has_value()) << row.body;
    EXPECT_EQ(manifest->kind, row.kind) << row.body;
  }
  for (const std::string_view body : {"", "[]", "7", "{", "{}", R"({"manifests":[]})"})
    EXPECT_FALSE(parse_manifest(body).has_value()) << body;
}

TEST(Manifest, EntriesThatMakeNoSenseDoNotHideTheOthers) {
  const auto manifest = parse_manifest(index(R"(7,{},{"digest":"sha256:zz"},{"digest":7},)" +
                                             entry('a', "linux", "amd64") + R"(,{"digest":")" +
                                             digest('b') + R"(","size":-1})"));
  ASSERT_TRUE(manifest.has_value());
  ASSERT_EQ(manifest->descriptors.size(), 2U);
  EXPECT_EQ(manifest->descriptors[0].size, 7U);
  EXPECT_EQ(manifest->descriptors[0].platform->to_string(), "linux/amd64");
  EXPECT_EQ(manifest->descriptors[1].size, 0U);
  EXPECT_EQ(manifest->descriptors[1].platform, std::nullopt);
}

TEST(Choose, ThePlatformsOwnImageIsFound) {
  const auto manifest = parse_manifest(
      index(entry('9', "unknown", "unknown") + "," + entry('6', "linux", "arm", "v6") + "," +
            entry('7', "linux", "arm", "v7") + "," + entry('8', "linux", "arm64", "v8") + "," +
            entry('a', "linux", "amd64") + "," + entry('b', "linux", "amd64")));
  struct Row {
    std::string_view platform;
    char digest;
  };
  for (const Row& row : {Row{"linux/amd64", 'a'},
                         {"linux/arm64", '8'},
                         {"linux/arm64/v8", '8'},
                         {"linux/arm", '7'},
                         {"linux/arm/v6", '6'}}) {
    const auto chosen = choose(manifest->descriptors, *Platform::parse(row.platform));
    ASSERT_TRUE(chosen.has_value()) << row.platform;
    EXPECT_EQ(chosen->digest.to_string(), digest(row.digest)) << row.platform;
  }
}

TEST(Choose, WhatIsThereIsListedWhenNothingFits) {
  const auto manifest =
      parse_manifest(index(entry('1', "linux", "arm64", "v8") + "," + entry('2', "linux", "amd64") +
                           "," + entry('3', "unknown", "unknown")));
  const auto chosen = choose(manifest->descriptors, *Platform::parse("windows/amd64"));
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(chosen.error().message,
            "the image is not there for windows/amd64: it is there for linux/arm64, linux/amd64");
  EXPECT_FALSE(choose({}, *Platform::parse("linux/amd64")).has_value());
  EXPECT_FALSE(choose(manifest->descriptors, Platform{"unknown", "unknown", ""}).has_value());
}

}  // namespace
}  // namespace windlass::oci

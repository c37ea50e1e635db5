#include "windlass/credentials/pull_secret.h"

#include <gtest/gtest.h>

namespace windlass::credentials {
namespace {

struct Read {
  Keyring keyring;
  std::vector<std::string> problems;
};

Read read(const std::string& type, const std::string& name, std::string_view json) {
  Read result;
  result.problems = add_pull_secret(
      {.source = "secret shop/regcred", .type = type, .data = {{name, Secret(json)}}},
      result.keyring);
  return result;
}

Read read_json(std::string_view json) {
  return read("kubernetes.io/dockerconfigjson", ".dockerconfigjson", json);
}

std::string shown(const Read& result, std::string_view image = "registry.test/app") {
  std::string all;
  for (const Credential& c : result.keyring.find(*image::ImageReference::parse(image)).candidates)
    all += c.user() + "=" + std::string(c.secret().reveal()) + " from " + c.source() + ";";
  return all;
}

TEST(PullSecret, BothTypesAreRead) {
  constexpr std::string_view kLogin = "alice=s3cret from secret shop/regcred;";
  EXPECT_EQ(shown(read_json(R"({"auths":{"registry.test":{"auth":"YWxpY2U6czNjcmV0"}}})")), kLogin);
  EXPECT_EQ(
      shown(read("kubernetes.io/dockercfg", ".dockercfg",
                 R"({"https://registry.test/v1/":{"username":"alice","password":"s3cret"}})")),
      kLogin);
}

TEST(PullSecret, WildcardsAndPathsInKeys) {
  const Read result = read_json(R"({"auths":{
      "*.test":{"username":"glob","password":"1"},
      "registry.test":{"username":"host","password":"2"},
      "registry.test/team":{"username":"team","password":"3"}}})");
  EXPECT_EQ(shown(result, "registry.test/team/app"),
            "team=3 from secret shop/regcred;host=2 from secret shop/regcred;"
            "glob=1 from secret shop/regcred;");
}

TEST(PullSecret, OneBadEntryHidesNoOther) {
  const Read result = read_json(R"({"auths":{
      "bad.test":{"auth":"canary!"}, "[":{"auth":"canary"}, "worse.test":["canary"],
      "registry.test":{"auth":"YWxpY2U6czNjcmV0"}, "empty.test":{}, "null.test":null}})");
  EXPECT_EQ(shown(result), "alice=s3cret from secret shop/regcred;");
  ASSERT_EQ(result.problems.size(), 3U);
  EXPECT_EQ(result.problems[0],
            "secret shop/regcred: the login under \"bad.test\": auth is not base64");
  EXPECT_EQ(result.problems[1],
            "secret shop/regcred: the key \"[\" holds a wildcard that is not closed");
  const Found found = result.keyring.find(*image::ImageReference::parse("bad.test/app"));
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_EQ(found.problems[0].message, result.problems[0]);
}

TEST(PullSecret, WhatCannotBeUsedIsOneProblem) {
  struct Row {
    std::string type;
    std::string name;
    std::string_view json;
    std::string_view says;
  };
  const std::string good = "kubernetes.io/dockerconfigjson";
  const Row table[] = {
      {"Opaque", ".dockerconfigjson", "{}", "secret shop/regcred: its type is \"Opaque\""},
      {good, "config.json", "{}", "secret shop/regcred: it holds no .dockerconfigjson"},
      {"kubernetes.io/dockercfg", ".dockerconfigjson", "{}",
       "secret shop/regcred: it holds no .dockercfg"},
      {good, ".dockerconfigjson", "{",
       "secret shop/regcred: .dockerconfigjson:1:2: not valid JSON"},
      {good, ".dockerconfigjson", "canary",
       "secret shop/regcred: .dockerconfigjson:1:1: not valid JSON"},
      {good, ".dockerconfigjson", "[]", "secret shop/regcred: .dockerconfigjson:1:1: "},
      {good, ".dockerconfigjson", "{}", "secret shop/regcred: it holds no auths"},
      {good, ".dockerconfigjson", R"({"auths":["canary"]})",
       "secret shop/regcred: auths: an object"},
  };
  for (const Row& row : table) {
    const Read result = read(row.type, row.name, row.json);
    EXPECT_TRUE(result.keyring.empty());
    ASSERT_EQ(result.problems.size(), 1U) << row.says;
    EXPECT_TRUE(result.problems[0].starts_with(row.says)) << result.problems[0];
    EXPECT_EQ(result.problems[0].find("canary"), std::string::npos);
  }
}

}  // namespace
}  // namespace windlass::credentials

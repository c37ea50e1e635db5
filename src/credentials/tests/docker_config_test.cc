#include "windlass/credentials/docker_config.h"

#include <gtest/gtest.h>

#include <fstream>

#include "windlass/base/testing/temporary_folder.h"
#include "windlass/credentials/base64.h"

namespace windlass::credentials {
namespace {

using Kind = Credential::Kind;

constexpr std::string_view kImage = "registry.test:5000/team/app:v1";

Found find(std::string_view json, std::string_view image = kImage) {
  const Result<DockerConfig> config = DockerConfig::parse(json, "config.json");
  EXPECT_TRUE(config.has_value()) << config.error().message;
  return config->find(*image::ImageReference::parse(image));
}

std::string auth_entry(std::string_view user_and_password) {
  return R"({"auths":{"registry.test:5000":{"auth":")" + base64_encode(user_and_password) +
         R"("}}})";
}

std::string shown(const Found& found) {
  std::string out;
  for (const Credential& c : found.candidates)
    out += c.user() + "=" + std::string(c.secret().reveal()) + ";";
  return out;
}

TEST(DockerConfig, AuthIsSplitAtTheFirstColon) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"alice:s3cret", "alice=s3cret;"},
      {"robot$ci:p:a:ss", "robot$ci=p:a:ss;"},
      {"bob:", "bob=;"},
      {{"eve:pad\0\0", 9}, "eve=pad;"},
  };
  for (const auto& [text, login] : table) EXPECT_EQ(shown(find(auth_entry(text))), login);
}

TEST(DockerConfig, EveryFormOfLogin) {
  struct Row {
    std::string_view entry;
    std::string_view login;
    Kind kind;
  };
  const Row table[] = {
      {R"({"username":"alice","password":"s3cret","auth":""})", "alice=s3cret;", Kind::kPassword},
      {R"({"username":"bob","password":"x","auth":"YWxpY2U6czNjcmV0"})", "alice=s3cret;",
       Kind::kPassword},
      {R"({"auth":"MDAwMDAwMDA6","identitytoken":"refresh-1"})", "=refresh-1;",
       Kind::kIdentityToken},
      {R"({"registrytoken":"token-1"})", "=token-1;", Kind::kRegistryToken},
      {R"({"email":"a@b.test","auth":"YWxpY2U6czNjcmV0","unknown":[1]})", "alice=s3cret;",
       Kind::kPassword},
  };
  for (const Row& row : table) {
    const Found found = find(R"({"auths":{"registry.test:5000":)" + std::string(row.entry) + "}}");
    EXPECT_EQ(shown(found), row.login) << row.entry;
    EXPECT_EQ(found.candidates.at(0).kind(), row.kind) << row.entry;
    EXPECT_EQ(found.candidates.at(0).source(), "config.json");
    EXPECT_TRUE(found.problems.empty());
  }
}

TEST(DockerConfig, EmptyEntriesMeanNoLogin) {
  for (const std::string_view json :
       {"", " \n", "{}", R"({"auths":{}})", R"({"auths":null})",
        R"({"auths":{"registry.test:5000":{}}})", R"({"auths":{"registry.test:5000":null}})",
        R"({"HttpHeaders":{"X-A":"b"}})", "\xEF\xBB\xBF{}"}) {
    const Found found = find(json);
    EXPECT_TRUE(found.candidates.empty() && found.problems.empty()) << json;
  }
}

TEST(DockerConfig, BadEntryIsNamedAndHidesNoOther) {
  for (const std::string_view bad :
       {R"({"auth":"Y2FuYXJ5"})", R"({"auth":"canary!"})", R"({"auth":["canary"]})", R"("canary")",
        R"({"password":{"canary":1}})"}) {
    const std::string json = R"({"auths":{"bad.test":)" + std::string(bad) +
                             R"(,"registry.test:5000":{"auth":"YWxpY2U6czNjcmV0"}}})";
    const Result<DockerConfig> config = DockerConfig::parse(json, "config.json");
    ASSERT_TRUE(config.has_value());
    ASSERT_EQ(config->problems().size(), 1U) << bad;
    EXPECT_TRUE(config->problems()[0].starts_with("config.json: the login under \"bad.test\": "));
    EXPECT_EQ(config->problems()[0].find("canary"), std::string::npos);
    EXPECT_EQ(shown(find(json)), "alice=s3cret;");
    EXPECT_TRUE(find(json).problems.empty());
    EXPECT_EQ(find(json, "bad.test/app").problems.size(), 1U);
  }
}

TEST(DockerConfig, TheMoreSpecificKeyComesFirst) {
  constexpr std::string_view json = R"({"auths":{
      "quay.io":{"username":"host","password":"1"},
      "quay.io/team/app":{"username":"app","password":"2"},
      "quay.io/team":{"username":"team","password":"3"},
      "quay.io/teammate":{"username":"mate","password":"4"}}})";
  EXPECT_EQ(shown(find(json, "quay.io/team/app")), "app=2;team=3;host=1;");
  EXPECT_EQ(shown(find(json, "quay.io/team/other")), "team=3;host=1;");
  EXPECT_EQ(shown(find(json, "quay.io/x")), "host=1;");
}

TEST(DockerConfig, DockerHubsLegacyKeyComesFirst) {
  constexpr std::string_view json = R"({"auths":{
      "docker.io":{"username":"short","password":"1"},
      "https://index.docker.io/v1/":{"username":"legacy","password":"2"}}})";
  EXPECT_EQ(shown(find(json, "nginx")), "legacy=2;short=1;");
}

TEST(DockerConfig, HelperOfTheHostBeatsTheStore) {
  const Result<DockerConfig> config = DockerConfig::parse(
      R"({"credHelpers":{"registry.test:5000":"a","https://index.docker.io/v1/":"hub","none.test":""},
          "credsStore":"b"})",
      "config.json");
  ASSERT_TRUE(config.has_value());
  const std::pair<std::string_view, std::string_view> table[] = {
      {kImage, "a"}, {"nginx", "hub"}, {"none.test/app", ""}, {"other.test/app", "b"}};
  for (const auto& [image, helper] : table)
    EXPECT_EQ(config->helper_for(*image::ImageReference::parse(image)), helper) << image;
}

TEST(DockerConfig, WhatIsNoJsonObjectIsRefusedWithItsPlace) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"{\n  \"auths\": {,}\n}", "config.json:2:13: "},
      {"[]", "config.json:1:1: "},
      {"{\"auths\":", "config.json:1:10: "},
      {"{} x", "config.json:1:"},
      {"{\"a\":\"\xFF\"}", "config.json:1:7: "},
      {R"({"auths":{"registry.test":{"auth":"canary)", "config.json:1:"},
  };
  for (const auto& [json, place] : table) {
    const Result<DockerConfig> config = DockerConfig::parse(json, "config.json");
    ASSERT_FALSE(config.has_value()) << json;
    EXPECT_EQ(config.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(config.error().message.starts_with(place)) << config.error().message;
    EXPECT_EQ(config.error().message.find("canary"), std::string::npos);
  }
}

TEST(DockerConfig, APasswordInAKeyIsNotShown) {
  const auto config =
      DockerConfig::parse(R"({"auths":{"https://u:canary@registry.test/":{"auth":"!"}},)"
                          R"("credHelpers":{"u:canary@registry.test":5}})",
                          "f");
  ASSERT_TRUE(config.has_value());
  ASSERT_EQ(config->problems().size(), 2U);
  for (const std::string& problem : config->problems()) {
    EXPECT_EQ(problem.find("canary"), std::string::npos) << problem;
    EXPECT_NE(problem.find("***@registry.test"), std::string::npos) << problem;
  }
}

TEST(DockerConfig, DeepNestingIsRefused) {
  EXPECT_FALSE(DockerConfig::parse("{\"a\":" + std::string(10000, '['), "x").has_value());
}

TEST(DockerConfig, MissingFileHoldsNoLoginsAndAnUnreadableOneIsAnError) {
  const TemporaryFolder temporary;
  const std::string& folder = temporary.root();
  const Result<DockerConfig> missing = DockerConfig::load(folder + "/none/config.json");
  ASSERT_TRUE(missing.has_value());
  EXPECT_TRUE(missing->problems().empty());

  const Result<DockerConfig> a_folder = DockerConfig::load(folder);
  ASSERT_FALSE(a_folder.has_value());
  EXPECT_NE(a_folder.error().message.find(folder), std::string::npos);

  std::ofstream(folder + "/config.json") << auth_entry("alice:s3cret");
  const Result<DockerConfig> config = DockerConfig::load(folder + "/config.json");
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->place(), folder + "/config.json");
  EXPECT_EQ(config->find(*image::ImageReference::parse(kImage)).candidates.size(), 1U);
}

}  // namespace
}  // namespace windlass::credentials

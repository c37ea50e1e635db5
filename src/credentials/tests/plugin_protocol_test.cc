#include "plugin_protocol.h"

#include <gtest/gtest.h>

namespace windlass::credentials {
namespace {

constexpr std::string_view kVersion = "credentialprovider.kubelet.k8s.io/v1";

std::string response(std::string_view rest) {
  return R"({"kind":"CredentialProviderResponse",)"
         R"("apiVersion":"credentialprovider.kubelet.k8s.io/v1",)" +
         std::string(rest) + "}";
}

Result<PluginAnswer> read(std::string_view output) {
  return read_plugin_answer(output, std::string(kVersion), "credential provider p");
}

TEST(PluginProtocol, TheRequestNamesTheImage) {
  EXPECT_EQ(
      plugin_request(std::string(kVersion), "registry.test/team/app"),
      R"({"kind":"CredentialProviderRequest",)"
      R"("apiVersion":"credentialprovider.kubelet.k8s.io/v1","image":"registry.test/team/app"})");
}

TEST(PluginProtocol, AnAnswerWithLogins) {
  const Result<PluginAnswer> answer =
      read(response(R"("cacheKeyType":"Registry","cacheDuration":"5m0s",)"
                    R"("auth":{"*.test":{"username":"AWS","password":"s3cret"}})"));
  ASSERT_TRUE(answer.has_value()) << answer.error().message;
  EXPECT_EQ(answer->cache_key_type, CacheKeyType::kRegistry);
  EXPECT_EQ(answer->cache_duration, std::chrono::minutes(5));
  const Found found = answer->logins.find(*image::ImageReference::parse("registry.test/app"));
  ASSERT_EQ(found.candidates.size(), 1U);
  EXPECT_EQ(found.candidates[0].shown(), "user AWS from credential provider p");
  EXPECT_EQ(found.candidates[0].secret().reveal(), "s3cret");
}

TEST(PluginProtocol, NoLoginIsAnAnswerToo) {
  for (const std::string_view rest :
       {R"("cacheKeyType":"Image")", R"("cacheKeyType":"Image","auth":null,"cacheDuration":null)",
        R"("cacheKeyType":"Global","auth":{})", R"("cacheKeyType":"Image","unknown":[1])",
        R"("cacheKeyType":"Image","auth":{"a.test":{"username":"","password":""}})"}) {
    const Result<PluginAnswer> answer = read(response(rest));
    ASSERT_TRUE(answer.has_value()) << answer.error().message;
    EXPECT_FALSE(answer->cache_duration);
    EXPECT_TRUE(answer->logins.empty());
    EXPECT_TRUE(answer->problems.empty());
  }
}

TEST(PluginProtocol, ABadEntryHidesNoOther) {
  const Result<PluginAnswer> answer = read(response(
      R"("cacheKeyType":"Image","auth":{"a.test":{"username":["canary"]},"[":{},"b.test":["canary"],
         "registry.test":{"username":"u","password":"p"}})"));
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->problems.size(), 3U);
  for (const std::string& problem : answer->problems)
    EXPECT_EQ(problem.find("canary"), std::string::npos);
  EXPECT_EQ(answer->logins.find(*image::ImageReference::parse("registry.test/x")).candidates.size(),
            1U);
  EXPECT_EQ(answer->logins.find(*image::ImageReference::parse("a.test/x")).problems.size(), 1U);
}

TEST(PluginProtocol, WhatIsNoAnswerIsRefusedAndNeverQuoted) {
  const std::string table[] = {
      "",
      "canary",
      "{\"canary",
      R"({"kind":"canary"})",
      R"({"kind":"CredentialProviderResponse",)"
      R"("apiVersion":"credentialprovider.kubelet.k8s.io/v1beta1","cacheKeyType":"Image"})",
      response(R"("cacheKeyType":"canary")"),
      response(R"("auth":{})"),
      response(R"("cacheKeyType":"Image","cacheDuration":"canary")"),
      response(R"("cacheKeyType":"Image","cacheDuration":"-5m")"),
      response(R"("cacheKeyType":"Image","auth":["canary"])"),
  };
  for (const std::string& output : table) {
    const Result<PluginAnswer> answer = read(output);
    ASSERT_FALSE(answer.has_value()) << output;
    EXPECT_TRUE(answer.error().message.starts_with("credential provider p: its answer "));
    EXPECT_EQ(answer.error().message.find("canary"), std::string::npos) << answer.error().message;
  }
}

}  // namespace
}  // namespace windlass::credentials

#include "windlass/credentials/credential_providers.h"

#include <gtest/gtest.h>

#include <fstream>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::credentials {
namespace {

constexpr std::string_view kGood = R"(apiVersion: kubelet.config.k8s.io/v1
kind: CredentialProviderConfig
providers:
  - name: ecr-credential-provider
    matchImages:
      - "*.dkr.ecr.*.amazonaws.com"
      - registry.test:5000/team
    defaultCacheDuration: 12h
    apiVersion: credentialprovider.kubelet.k8s.io/v1
    args: [get-credentials, --v=3]
    env:
      - name: AWS_PROFILE
        value: ci
)";

TEST(CredentialProviders, AWholeProvider) {
  const Result<CredentialProviders> read = CredentialProviders::parse(kGood, "providers.yaml");
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE(read->problems.empty());
  ASSERT_EQ(read->providers.size(), 1U);
  const CredentialProvider& provider = read->providers[0];
  EXPECT_EQ(provider.name, "ecr-credential-provider");
  EXPECT_EQ(provider.match_images.at(1).text(), "registry.test:5000/team");
  EXPECT_EQ(provider.default_cache_duration, std::chrono::hours(12));
  EXPECT_EQ(provider.api_version, "credentialprovider.kubelet.k8s.io/v1");
  EXPECT_EQ(provider.arguments, (std::vector<std::string>{"get-credentials", "--v=3"}));
  EXPECT_EQ(provider.environment.at(0), std::pair(std::string("AWS_PROFILE"), std::string("ci")));
}

TEST(CredentialProviders, JsonAndTheOldVersionsToo) {
  for (const std::string version : {"v1", "v1beta1", "v1alpha1"}) {
    const Result<CredentialProviders> read = CredentialProviders::parse(
        R"({"apiVersion":"kubelet.config.k8s.io/)" + version +
            R"(","kind":"CredentialProviderConfig","providers":[{"name":"p",
               "matchImages":["a.test"],
               "defaultCacheDuration":"0s","apiVersion":"credentialprovider.kubelet.k8s.io/)" +
            version + R"("}]})",
        "providers.json");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(read->providers.size(), 1U);
  }
}

TEST(CredentialProviders, ABadProviderIsLeftOutAndNamed) {
  struct Row {
    std::string_view from;
    std::string_view to;
    std::string_view says;
  };
  const Row table[] = {
      {"ecr-credential-provider", "../evil", "f:4: providers[0].name: the name of a program"},
      {"name: ecr-credential-provider", "x: 1", "f:4: providers[0].name: the name of a program"},
      {"registry.test:5000/team", "'reg[istry'", "f:6: providers[0].matchImages: \"reg[istry\""},
      {"defaultCacheDuration: 12h", "args2: 1",
       "f:4: providers[0].defaultCacheDuration: it is req"},
      {"12h", "12", "f:8: providers[0].defaultCacheDuration: a duration"},
      {"credentialprovider.kubelet.k8s.io/v1", "v1", "f:9: providers[0].apiVersion: "},
      {"name: AWS_PROFILE", "name: ''", "f:12: providers[0].env: each entry"},
      {"args: [get-credentials, --v=3]", "tokenAttributes: {requireServiceAccount: true}",
       "f:10: providers[0].tokenAttributes: a plugin that needs"},
  };
  for (const Row& row : table) {
    std::string text(kGood);
    text.replace(text.find(row.from), row.from.size(), row.to);
    text +=
        "  - {name: good, matchImages: [a.test], defaultCacheDuration: 1s,"
        " apiVersion: credentialprovider.kubelet.k8s.io/v1}\n";
    const Result<CredentialProviders> read = CredentialProviders::parse(text, "f");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    ASSERT_EQ(read->providers.size(), 1U) << row.says;
    EXPECT_EQ(read->providers[0].name, "good");
    ASSERT_FALSE(read->problems.empty()) << row.says;
    EXPECT_TRUE(read->problems[0].starts_with(row.says)) << read->problems[0];
  }
}

TEST(CredentialProviders, UnknownMembersAreNotedAndHarmNobody) {
  std::string text(kGood);
  text += "    matchimages: [x]\nsurprise: 1\n";
  const Result<CredentialProviders> read = CredentialProviders::parse(text, "f");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->providers.size(), 1U);
  EXPECT_EQ(read->problems,
            (std::vector<std::string>{
                "f:1: \"surprise\" is not known, and not heeded",
                "f:4: providers[0]: \"matchimages\" is not known, and not heeded"}));
}

TEST(CredentialProviders, TheFirstOfTwoWithOneNameCounts) {
  std::string text(kGood);
  text += text.substr(text.find("  - name"));
  const Result<CredentialProviders> read = CredentialProviders::parse(text, "f");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->providers.size(), 1U);
  EXPECT_EQ(read->problems.size(), 1U);
}

TEST(CredentialProviders, WhatIsNoConfigurationIsRefused) {
  for (const std::string_view text :
       {"", "[]", "kind: Pod\napiVersion: v1\n", "a: 'x", "kind: CredentialProviderConfig\n"}) {
    const Result<CredentialProviders> read = CredentialProviders::parse(text, "f");
    ASSERT_FALSE(read.has_value()) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(read.error().message.starts_with("f:"));
  }
}

TEST(CredentialProviders, AFolderIsReadInTheOrderOfItsNames) {
  const TemporaryFolder temporary;
  const std::string& folder = temporary.root();
  EXPECT_EQ(CredentialProviders::load(folder + "/none").error().code, ErrorCode::kNotFound);
  std::string second(kGood);
  second.replace(second.find("ecr-"), 4, "gcr-");
  std::ofstream(folder + "/2.yaml") << kGood << second.substr(second.find("  - name"));
  std::ofstream(folder + "/1.yml") << kGood;
  std::ofstream(folder + "/3.json") << "{";
  std::ofstream(folder + "/README") << "no configuration";
  const Result<CredentialProviders> read = CredentialProviders::load(folder);
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(read->providers.size(), 2U);
  EXPECT_EQ(read->providers[1].name, "gcr-credential-provider");
  ASSERT_EQ(read->problems.size(), 2U);
  EXPECT_TRUE(read->problems[0].starts_with(folder + "/2.yaml: a provider named"));
  EXPECT_TRUE(read->problems[1].starts_with(folder + "/3.json:"));
  EXPECT_EQ(CredentialProviders::load(folder + "/1.yml")->providers.size(), 1U);
}

}  // namespace
}  // namespace windlass::credentials

// Goal: no secret shows in anything that is meant for people. Method: documents that hold the word
// "canary" in every place of a secret are broken at every byte, in every way that changes their
// shape, and all that reading them says is searched for the word.
#include <gtest/gtest.h>

#include <functional>

#include "helper_protocol.h"
#include "plugin_protocol.h"
#include "windlass/credentials/base64.h"
#include "windlass/credentials/credential_providers.h"
#include "windlass/credentials/docker_config.h"
#include "windlass/credentials/pull_secret.h"

namespace windlass::credentials {
namespace {

const std::string kSecret = "canary-canary-canary";

std::string entries() {
  return R"({"a.test":{"username":"alice","password":")" + kSecret + R"("},"b.test":{"auth":")" +
         base64_encode("bob:" + kSecret) + R"("},"c.test":{"auth":"*)" + kSecret +
         R"("},"d.test":{"identitytoken":")" + kSecret + R"("},"e.test":{"registrytoken":")" +
         kSecret + R"("},"f.test":{"password":[")" + kSecret + R"("]}})";
}

bool shows_secret(const std::string& text) {
  static const std::string encoded = base64_encode(kSecret).substr(2, 12);
  return text.find("canary") != std::string::npos || text.find(encoded) != std::string::npos;
}

using Read = std::function<std::vector<std::string>(const std::string& document)>;

void expect_silence(const std::string& document, const Read& read) {
  const auto check = [&](const std::string& broken) {
    for (const std::string& said : read(broken))
      ASSERT_FALSE(shows_secret(said)) << said << "\n" << broken;
  };
  check(document);
  for (std::size_t i = 0; i < document.size(); ++i) {
    check(document.substr(0, i));
    std::string broken = document;
    broken.erase(i, 1);
    check(broken);
    for (const char c : std::string("\"{}[],:\n\\\0\xFF", 11)) {
      broken = document;
      broken[i] = c;
      check(broken);
    }
    if (testing::Test::HasFatalFailure()) return;
  }
}

void add(const Found& found, std::vector<std::string>& said) {
  for (const Credential& login : found.candidates) {
    said.push_back(login.shown());
    said.push_back(login.source());
    said.push_back(login.fingerprint());
  }
  for (const Error& problem : found.problems) said.push_back(problem.message);
}

// For the logins that a byte more or less has not taken from their registry.
template <class Finder>
void add_all(const Finder& finder, std::vector<std::string>& said) {
  for (const char* image : {"a.test/x", "b.test/x", "c.test/x", "d.test/x", "e.test/x", "f.test/x"})
    add(finder.find(*image::ImageReference::parse(image)), said);
}

TEST(Canary, DockerConfigsShowNoSecret) {
  for (const auto format : {DockerConfig::Format::kConfig, DockerConfig::Format::kLegacy}) {
    const bool legacy = format == DockerConfig::Format::kLegacy;
    const std::string document =
        legacy ? entries()
               : R"({"auths":)" + entries() + R"(,"credHelpers":{"a.test":"h"},"credsStore":"s"})";
    expect_silence(document, [&](const std::string& text) {
      const Result<DockerConfig> config = DockerConfig::parse(text, "config.json", format);
      if (!config) return std::vector{config.error().message};
      std::vector<std::string> said = config->problems();
      add_all(*config, said);
      return said;
    });
  }
}

TEST(Canary, PullSecretsShowNoSecret) {
  expect_silence(R"({"auths":)" + entries() + "}", [](const std::string& text) {
    Keyring keyring;
    std::vector<std::string> said = add_pull_secret({.source = "secret shop/x",
                                                     .type = "kubernetes.io/dockerconfigjson",
                                                     .data = {{".dockerconfigjson", Secret(text)}}},
                                                    keyring);
    add_all(keyring, said);
    return said;
  });
}

TEST(Canary, PluginAnswersShowNoSecret) {
  const std::string version = "credentialprovider.kubelet.k8s.io/v1";
  const std::string document = R"({"kind":"CredentialProviderResponse","apiVersion":")" + version +
                               R"(","cacheKeyType":"Image","cacheDuration":"5m","auth":)" +
                               R"({"a.test":{"username":"u","password":")" + kSecret +
                               R"("},"b.test":{"username":[")" + kSecret +
                               R"("]},"[":{"password":")" + kSecret + R"("}}})";
  expect_silence(document, [&](const std::string& text) {
    const Result<PluginAnswer> answer = read_plugin_answer(text, version, "credential provider p");
    if (!answer) return std::vector{answer.error().message};
    std::vector<std::string> said = answer->problems;
    add_all(answer->logins, said);
    return said;
  });
}

TEST(Canary, HelperAnswersShowNoSecret) {
  for (const int status : {0, 1}) {
    expect_silence(R"({"ServerURL":"a.test","Username":"u","Secret":")" + kSecret + R"("})",
                   [&](const std::string& text) {
                     const auto answer = read_helper_answer({.status = status, .output = text},
                                                            "docker-credential-x", "a.test");
                     std::vector<std::string> said;
                     if (!answer) {
                       said.push_back(answer.error().message);
                     } else if (*answer) {
                       said.push_back((*answer)->shown());
                     }
                     return said;
                   });
  }
}

TEST(Canary, ProviderConfigsShowNoVariable) {
  const std::string document =
      "apiVersion: kubelet.config.k8s.io/v1\nkind: CredentialProviderConfig\nproviders:\n"
      "- name: p\n  matchImages: [a.test]\n  defaultCacheDuration: 1m\n"
      "  apiVersion: credentialprovider.kubelet.k8s.io/v1\n"
      "  env:\n  - name: TOKEN\n    value: '" +
      kSecret + "'\n";
  expect_silence(document, [](const std::string& text) {
    const Result<CredentialProviders> read = CredentialProviders::parse(text, "providers.yaml");
    return read ? read->problems : std::vector{read.error().message};
  });
}

}  // namespace
}  // namespace windlass::credentials

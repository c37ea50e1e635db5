// TLS: whom we trust, what we say when we do not, and that nothing falls back to plain http.
//
// The registry is on loopback, which is asked over plain http; so these tests speak to the http
// client, or to the registry client under a name that a proxy leads to the fake.
#include <gtest/gtest.h>

#include <fstream>

#include "registries.h"
#include "stack.h"

namespace windlass::integration {
namespace {

using test_support::certificate_folder;
using test_support::FakeRegistry;

std::string file(const std::string& name) { return certificate_folder() + "/" + name; }

// "200", or the error.
std::string get(const std::string& url, http::CurlClient::Options options) {
  auto client = http::CurlClient::create(system_clock(), std::move(options));
  if (!client) return client.error().message;
  const auto response = (*client)->send_blocking({.url = url});
  if (response) return std::to_string(response->status);
  return std::string(to_string(response.error().code)) + ": " + response.error().message;
}

TEST(Tls, APrivateCaIsTrustedWhereItIsNamed) {
  const FakeRegistry registry({"--tls", certificate_folder()});
  const std::string url = "https://" + registry.host() + "/v2/b/plain/app/manifests/v1";
  EXPECT_EQ(get(url, {.tls = {.ca_files = {file("ca.crt")}}}), "200");
  EXPECT_EQ(get(url, {.tls = {.ca_files = {file("stranger.crt"), file("ca.crt")}}}), "200");

  const auto of_host = [&](const std::string& host) -> Result<http::TlsSettings> {
    EXPECT_EQ(host, registry.host());
    return http::TlsSettings{.ca_files = {file("ca.crt")}};
  };
  EXPECT_EQ(get(url, {.tls_of_host = of_host}), "200");

  for (const std::string& refused :
       {get(url, {}), get(url, {.tls = {.ca_files = {file("stranger.crt")}}})}) {
    EXPECT_TRUE(
        refused.starts_with("invalid: " + registry.host() + ": the certificate is not trusted: "))
        << refused;
    EXPECT_NE(refused.find("--ca-file"), std::string::npos);
  }
}

TEST(Tls, EachFaultOfACertificateHasItsOwnNextStep) {
  struct Row {
    std::string certificate;
    std::string_view says;  // behind the host
  };
  const Row table[] = {
      {"other",
       "the certificate is for another name: elsewhere.test; ask the server under a name that "
       "stands in its certificate"},
      {"future",
       "its certificate is valid from 2090-01-01 00:00 UTC only; who runs it has to renew it; if "
       "the date here is wrong, set this machine's clock"},
      {"old-ca",
       "the certificate of its CA \"middle\" expired on 2021-02-03 04:05 UTC; who runs it has to "
       "get "
       "a certificate of a CA that is in force; if the date here is wrong, set this machine's "
       "clock"},
      {"self",
       "the certificate is not trusted: self-signed certificate; if the server is the right one, "
       "name the certificate of its CA with --ca-file"},
  };
  for (const Row& row : table) {
    const FakeRegistry registry({"--tls", certificate_folder(), "--certificate", row.certificate});
    EXPECT_EQ(get("https://" + registry.host() + "/", {.tls = {.ca_files = {file("ca.crt")}}}),
              "invalid: " + registry.host() + ": " + std::string(row.says));
  }
}

TEST(Tls, AnExpiredCertificateIsRefused) {
  const FakeRegistry registry({"--tls", certificate_folder(), "--certificate", "expired"});
  const std::string message =
      get("https://" + registry.host() + "/", {.tls = {.ca_files = {file("ca.crt")}}});
  EXPECT_TRUE(
      message.starts_with("invalid: " + registry.host() + ": its certificate expired on 20"))
      << message;
  EXPECT_TRUE(message.contains(" UTC; who runs it has to renew it; if the date here is wrong"))
      << message;
  EXPECT_FALSE(message.contains("--ca-file")) << message;
}

TEST(Tls, VersionsBefore12AreNotSpoken) {
  const FakeRegistry registry({"--tls", certificate_folder(), "--old-tls"});
  const std::string message =
      get("https://" + registry.host() + "/", {.tls = {.ca_files = {file("ca.crt")}}});
  EXPECT_TRUE(message.starts_with("invalid: ")) << message;
  EXPECT_NE(message.find("speaks no TLS version that is new enough"), std::string::npos) << message;
}

TEST(Tls, AHostMayBeHeldToANewerVersion) {
  // With client certificates the fake speaks 1.2 only.
  const FakeRegistry registry({"--tls", certificate_folder(), "--client-certificates"});
  http::CurlClient::Options options{.tls = {.ca_files = {file("ca.crt")}}};
  options.tls_of_host = [](const std::string&) -> Result<http::TlsSettings> {
    return http::TlsSettings{.version_min = http::TlsVersion::k13};
  };
  const std::string message = get("https://" + registry.host() + "/", options);
  EXPECT_NE(message.find("speaks no TLS version that is new enough"), std::string::npos) << message;
}

TEST(Tls, ClientCertificatesAreShownWhereTheyAreNamed) {
  const FakeRegistry registry({"--tls", certificate_folder(), "--client-certificates"});
  const std::string url = "https://" + registry.host() + "/v2/b/plain/app/manifests/v1";
  EXPECT_EQ(get(url, {.tls = {.ca_files = {file("ca.crt")},
                              .client_certificate_file = file("client.crt"),
                              .client_key_file = file("client.key")}}),
            "200");
  const std::string without = get(url, {.tls = {.ca_files = {file("ca.crt")}}});
  EXPECT_TRUE(without.starts_with("invalid: ")) << without;
  EXPECT_NE(without.find("client certificate"), std::string::npos) << without;
}

std::string text_of(const std::string& name) {
  std::ifstream stream(file(name));
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Tls, TextsDoAsWellAsFiles) {
  const FakeRegistry registry({"--tls", certificate_folder(), "--client-certificates"});
  const std::string url = "https://" + registry.host() + "/v2/b/plain/app/manifests/v1";
  EXPECT_EQ(get(url, {.tls = {.ca_pem = text_of("ca.crt"),
                              .system_roots = false,
                              .client_certificate_pem = text_of("client.crt"),
                              .client_key_pem = text_of("client.key")}}),
            "200");
}

TEST(Tls, WhatAllHostsTrustIsKeptWhereAHostHasSettingsOfItsOwn) {
  const FakeRegistry registry({"--tls", certificate_folder()});
  const std::string url = "https://" + registry.host() + "/v2/b/plain/app/manifests/v1";
  const auto own = [](const std::string&) -> Result<http::TlsSettings> {
    return http::TlsSettings{.ca_files = {file("stranger.crt")}};
  };
  EXPECT_EQ(
      get(url, {.tls = {.ca_pem = text_of("ca.crt"), .system_roots = false}, .tls_of_host = own}),
      "200");
  const auto own_text = [](const std::string&) -> Result<http::TlsSettings> {
    return http::TlsSettings{.ca_pem = text_of("stranger.crt")};
  };
  EXPECT_EQ(get(url, {.tls = {.ca_pem = text_of("ca.crt")}, .tls_of_host = own_text}), "200");
  EXPECT_EQ(get(url, {.tls = {.ca_files = {file("ca.crt")}}, .tls_of_host = own_text}), "200");
}

// The system's roots are those of the environment while this lives.
class SystemRoots {
 public:
  explicit SystemRoots(const std::string& path) { setenv("SSL_CERT_FILE", path.c_str(), 1); }
  ~SystemRoots() { unsetenv("SSL_CERT_FILE"); }
  SystemRoots(const SystemRoots&) = delete;
  SystemRoots& operator=(const SystemRoots&) = delete;
};

TEST(Tls, TheSystemsRootsAreLeftOutWhereEitherSettingsSaySo) {
  const FakeRegistry registry({"--tls", certificate_folder()});
  const std::string url = "https://" + registry.host() + "/v2/b/plain/app/manifests/v1";
  const SystemRoots roots(file("ca.crt"));
  for (const bool all : {true, false}) {
    for (const bool own : {true, false}) {
      const auto of_host = [&](const std::string&) -> Result<http::TlsSettings> {
        return http::TlsSettings{.ca_files = {file("stranger.crt")}, .system_roots = own};
      };
      const std::string got = get(url, {.tls = {.system_roots = all}, .tls_of_host = of_host});
      EXPECT_EQ(got == "200", all && own) << all << own << got;
    }
  }
}

TEST(Tls, AServerNameIsAskedForInsteadOfTheHost) {
  const FakeRegistry registry({"--tls", certificate_folder(), "--certificate", "other"});
  const std::string url = "https://" + registry.host() + "/v2/b/plain/app/manifests/v1";
  http::TlsSettings tls{.ca_files = {file("ca.crt")}, .server_name = "elsewhere.test"};
  EXPECT_EQ(get(url, {.tls = tls}), "200");
  EXPECT_EQ(registry.log().back().header("host"), registry.host());
  tls.server_name = "nowhere.test";
  EXPECT_NE(get(url, {.tls = tls}).find("the certificate is for another name"), std::string::npos);
}

TEST(Tls, ErrorsOfAHostsOwnFilesFailItsRequests) {
  const FakeRegistry registry({"--tls", certificate_folder()});
  const auto broken = [](const std::string&) -> Result<http::TlsSettings> {
    return http::TlsSettings{.client_certificate_file = file("client.crt")};
  };
  const std::string message = get("https://" + registry.host() + "/", {.tls_of_host = broken});
  EXPECT_NE(message.find("the key is missing"), std::string::npos) << message;
}

TEST(Tls, APlainServerIsNamedAndNotAskedWithoutTls) {
  const FakeRegistry registry;
  const std::string message =
      get("https://" + registry.host() + "/v2/b/plain/app/manifests/v1", {});
  EXPECT_NE(message.find("--plain-http " + registry.host()), std::string::npos) << message;
  EXPECT_TRUE(registry.log().empty());
}

}  // namespace
}  // namespace windlass::integration

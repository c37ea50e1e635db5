#include "network_settings.h"

#include <gtest/gtest.h>

#include <map>

#include "windlass/base/testing/temporary_folder.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::app {
namespace {

Environment environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(NetworkSettings, ProxiesComeFromTheEnvironment) {
  const auto client = client_options(
      {}, environment({{"https_proxy", "p.test:1"}, {"HTTP_PROXY", "q.test"}, {"NO_PROXY", "x"}}));
  ASSERT_TRUE(client.has_value());
  EXPECT_EQ(client->proxies.for_https, "p.test:1");
  EXPECT_EQ(client->proxies.for_http, "q.test");
  EXPECT_EQ(client->proxies.except, "x");
}

TEST(NetworkSettings, CertificatesOfAHostComeFromTheUsersFolder) {
  const TemporaryFolder folder;
  folder.write("containers/certs.d/r.test:5000/ca.crt", "a certificate");
  const auto client = client_options({}, environment({{"XDG_CONFIG_HOME", folder.root()}}));
  const auto tls = client->tls_of_host("r.test:5000");
  ASSERT_TRUE(tls.has_value());
  EXPECT_EQ(tls->ca_files, std::vector{folder.path("containers/certs.d/r.test:5000/ca.crt")});
  EXPECT_EQ(client->tls_of_host("other.test"), http::TlsSettings());
}

TEST(NetworkSettings, OneFolderOfCertificatesMayBeForAllHosts) {
  const TemporaryFolder folder;
  folder.write("ca.crt", "a certificate");
  const auto client =
      client_options({.ca_files = {"more.pem"}, .cert_dir = folder.root()}, environment({}));
  ASSERT_TRUE(client.has_value()) << client.error().message;
  EXPECT_EQ(client->tls.ca_files, (std::vector<std::string>{folder.path("ca.crt"), "more.pem"}));
}

TEST(NetworkSettings, AFileOfAnOptionThatCannotBeUsedIsToldWithTheOption) {
  const TemporaryFolder folder;
  folder.write("junk.pem", "junk");
  folder.write("half/a.cert", "junk");
  folder.write("junk/a.crt", "junk");
  const std::string junk = folder.path("junk.pem");
  const auto says = [](const CommonOptions& options) {
    const std::vector<Error> errors = check_network_files(options);
    std::string all;
    for (const Error& error : errors) all += (all.empty() ? "" : "\n") + error.message;
    return errors.empty() ? std::string("usable") : all;
  };
  EXPECT_EQ(says({}), "usable");
  EXPECT_EQ(says({.registries_conf = junk}), "usable");
  EXPECT_EQ(says({.registries_conf = "/nowhere"}),
            "--registries-conf /nowhere: no such file; check the name");
  EXPECT_EQ(says({.ca_files = {"/nowhere"}}), "--ca-file /nowhere: no such file; check the name");
  EXPECT_EQ(says({.ca_files = {junk}}),
            "--ca-file: " + junk +
                " does not hold a certificate in PEM form; name a file with BEGIN CERTIFICATE "
                "lines, which 'openssl x509' makes of other forms");
  EXPECT_EQ(says({.cert_dir = "/nowhere"}),
            "--cert-dir /nowhere: no such directory; check the name");
  EXPECT_TRUE(says({.cert_dir = folder.path("half")}).starts_with("--cert-dir: "));
  EXPECT_EQ(says({.ca_files = {"/gone"}, .cert_dir = "/nowhere", .registries_conf = "/no"}),
            "--registries-conf /no: no such file; check the name\n--cert-dir /nowhere: no such "
            "directory; check the name\n--ca-file /gone: no such file; check the name");
  EXPECT_TRUE(says({.cert_dir = folder.path("junk")})
                  .starts_with("--cert-dir: " + folder.path("junk/a.crt") +
                               " does not hold a certificate"));
}

TEST(NetworkSettings, WhatIsTrustedIsWhatTheUserSays) {
  telemetry::RecordingLogger logger;
  const auto settings = registry_settings(
      {.plain_http = {"a"}, .tls = {"b"}, .trusted_realms = {"c"}, .podman_names = true},
      environment({}), logger);
  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(settings->options.plain_http, std::vector<std::string>{"a"});
  EXPECT_EQ(settings->options.tls, std::vector<std::string>{"b"});
  EXPECT_EQ(settings->options.trusted_realms, std::vector<std::string>{"c"});
  EXPECT_TRUE(settings->options.short_names);
}

TEST(NetworkSettings, AFileOfRegistriesThatAVariableNamesHasToExist) {
  telemetry::RecordingLogger logger;
  const auto by_variable =
      registry_settings({}, environment({{"CONTAINERS_REGISTRIES_CONF", "/nowhere"}}), logger);
  EXPECT_EQ(by_variable.error().message,
            "$CONTAINERS_REGISTRIES_CONF /nowhere: no such file; check the name");
}

}  // namespace
}  // namespace windlass::app

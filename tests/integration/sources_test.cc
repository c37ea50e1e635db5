// Mirrors, insecure registries and certs.d folders, over real connections.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "registries.h"
#include "stack.h"
#include "windlass/base/format.h"
#include "windlass/base/testing/temporary_folder.h"
#include "windlass/http/certificate_folders.h"

namespace windlass::integration {
namespace {

namespace fs = std::filesystem;
using test_support::certificate_folder;
using test_support::FakeRegistry;

std::string mirrored(const FakeRegistry& registry, const std::string& mirror) {
  return format("[[registry]]\nlocation='{}'\n[[registry.mirror]]\nlocation='{}'\n",
                registry.host(), mirror);
}

TEST(Mirrors, AreAskedFirstAndTheRegistryWhereTheyAreOutOfReach) {
  const FakeRegistry registry;
  auto mirror = std::make_optional<FakeRegistry>();
  Wiring wiring;
  wiring.registry.registries = registries_of(mirrored(registry, mirror->host()));
  Stack stack(wiring);
  const auto first = stack.resolve(registry.image("plain"));
  EXPECT_EQ(shown(first, registry.digest("plain")), "D");
  EXPECT_EQ(first->mirror, mirror->host() + "/b/plain/app");
  EXPECT_TRUE(first->pinned_name().starts_with(registry.host() + "/b/plain/app@"));
  EXPECT_TRUE(registry.log().empty());

  mirror.reset();
  const auto second = stack.resolve(registry.image("plain"));
  EXPECT_EQ(shown(second, registry.digest("plain")), "D");
  EXPECT_EQ(second->mirror, "");
  EXPECT_EQ(registry.log().size(), 1U);
}

TEST(Mirrors, EachIsSentItsOwnLogin) {
  const FakeRegistry registry;
  const FakeRegistry mirror;
  Wiring wiring{.docker_config =
                    login_files({{registry.host(), "alice:s3cret"}, {mirror.host(), "bob:no"}})};
  wiring.registry.registries = registries_of(mirrored(registry, mirror.host()));
  Stack stack(wiring);
  EXPECT_EQ(shown(stack.resolve(registry.image("auth-basic")), registry.digest("auth-basic")), "D");
  const auto sent = [](const FakeRegistry& to) {
    std::string headers;
    for (const auto& request : to.log()) headers += request.header("authorization") + ";";
    return headers;
  };
  EXPECT_EQ(sent(mirror), ";Basic Ym9iOm5v;");
  EXPECT_EQ(sent(registry), ";Basic YWxpY2U6czNjcmV0;");
}

TEST(Insecure, AnyCertificateWillDoWhereTheUserSaysSoAndNowhereElse) {
  const FakeRegistry registry({"--tls", certificate_folder(), "--certificate", "other"});
  Wiring wiring;
  wiring.registry.tls = {registry.host()};
  Stack strict(wiring);
  const std::string refused = shown(strict.resolve(registry.image("plain")), "");
  EXPECT_TRUE(refused.starts_with("invalid: ")) << refused;

  wiring.registry.registries =
      registries_of(format("[[registry]]\nlocation='{}'\ninsecure=true\n", registry.host()));
  Stack insecure(wiring);
  EXPECT_EQ(shown(insecure.resolve(registry.image("plain")), registry.digest("plain")), "D");
  // The redirect's target is another server, of which nothing was said.
  const std::string elsewhere = shown(insecure.resolve(registry.image("redirect-other")), "");
  EXPECT_NE(elsewhere.find("certificate"), std::string::npos) << elsewhere;
}

TEST(Insecure, ARegistryWithoutTlsIsAskedWithoutIt) {
  const FakeRegistry registry;
  Wiring wiring;
  wiring.registry.registries =
      registries_of(format("[[registry]]\nlocation='{}'\ninsecure=true\n", registry.host()));
  Stack stack(wiring);
  EXPECT_EQ(shown(stack.resolve(registry.image("plain")), registry.digest("plain")), "D");
}

TEST(CertificateFolders, TheHostsCaAndClientCertificateAreUsed) {
  const FakeRegistry registry({"--tls", certificate_folder(), "--client-certificates"});
  const TemporaryFolder root;
  const std::string own = root.path(registry.host());
  fs::create_directory(own);
  const auto copy = [&](const std::string& from, const std::string& to) {
    fs::copy_file(certificate_folder() + "/" + from, own + "/" + to);
  };
  copy("ca.crt", "ca.crt");
  copy("client.crt", "client.cert");
  const http::CertificateFolders folders({root.path("")});
  Wiring wiring;
  wiring.registry.tls = {registry.host()};
  wiring.http.tls_of_host = [&](const std::string& host) { return folders.of_host(host); };
  Stack half(wiring);
  const std::string refused = shown(half.resolve(registry.image("plain")), "");
  EXPECT_TRUE(refused.starts_with("invalid: ")) << refused;
  EXPECT_NE(refused.find("client.key is missing"), std::string::npos) << refused;

  copy("client.key", "client.key");
  Stack whole(wiring);
  EXPECT_EQ(shown(whole.resolve(registry.image("plain")), registry.digest("plain")), "D");
}

}  // namespace
}  // namespace windlass::integration

// Against Debian's docker-registry: what we say a digest is, it says too, and so does skopeo.
#include <gtest/gtest.h>

#include <fstream>

#include "registries.h"
#include "stack.h"
#include "windlass/base/text.h"

namespace windlass::integration {
namespace {

using test_support::output_of;
using test_support::RealRegistry;

class RealRegistryTest : public testing::Test {
 protected:
  static void check_all(const RealRegistry& registry, Stack& stack) {
    ASSERT_FALSE(registry.images().empty());
    for (const auto& [name, digest] : registry.images())
      EXPECT_EQ(shown(stack.resolve(registry.host() + "/" + name), digest), "D") << name;
    const std::string missing = shown(stack.resolve(registry.host() + "/shop/none:v1"), "");
    EXPECT_TRUE(missing.starts_with("not-found: ")) << missing;
  }
};

TEST_F(RealRegistryTest, DigestsAreThoseOfThePushedBytes) {
  const RealRegistry registry;
  Stack stack;
  check_all(registry, stack);
}

TEST_F(RealRegistryTest, SkopeoAgrees) {
  const std::string skopeo = WINDLASS_SKOPEO_PROGRAM;
  if (skopeo.empty()) GTEST_SKIP() << "skopeo is not there";
  const RealRegistry registry;
  Stack stack;
  for (const auto& [name, digest] : registry.images()) {
    const std::string theirs(
        trim(output_of({skopeo, "inspect", "--tls-verify=false", "--format", "{{.Digest}}",
                        "docker://" + registry.host() + "/" + name})));
    EXPECT_EQ(shown(stack.resolve(registry.host() + "/" + name), theirs), "D") << name;
  }
}

TEST_F(RealRegistryTest, ItsLoginIsUnderstood) {
  const RealRegistry registry({"--login"});
  Stack stack({.docker_config = login_file(registry.host(), "alice:s3cret")});
  check_all(registry, stack);

  const std::string image = registry.host() + "/" + registry.images().begin()->first;
  Stack wrong({.docker_config = login_file(registry.host(), "alice:canary")});
  EXPECT_TRUE(shown(wrong.resolve(image), "").starts_with("unauthenticated: "));
  Stack none;
  const std::string message = shown(none.resolve(image), "");
  EXPECT_NE(message.find(registry.host() + " wants a login and there are no credentials"),
            std::string::npos)
      << message;
}

TEST_F(RealRegistryTest, ItsTokensAreUnderstood) {
  const RealRegistry registry({"--token"});
  Stack stack({.docker_config = login_file(registry.host(), "alice:s3cret")});
  for (const auto& [name, digest] : registry.images())
    EXPECT_EQ(shown(stack.resolve(registry.host() + "/" + name), digest), "D") << name;
  const std::string image = registry.host() + "/" + registry.images().begin()->first;
  Stack wrong({.docker_config = login_file(registry.host(), "alice:canary")});
  const std::string message = shown(wrong.resolve(image), "");
  EXPECT_TRUE(message.starts_with("unauthenticated: ")) << message;
  EXPECT_EQ(message.find("canary"), std::string::npos);
}

TEST_F(RealRegistryTest, BehindNginxHttp2IsSpoken) {
  const std::string nginx = WINDLASS_NGINX_PROGRAM;
  if (nginx.empty()) GTEST_SKIP() << "nginx is not there";
  const RealRegistry registry({"--nginx", nginx, "--login"});
  Wiring wiring{.docker_config = login_file(registry.host(), "alice:s3cret")};
  wiring.registry.tls = {registry.host()};
  wiring.http.tls.ca_files = {registry.ca_file()};
  Stack stack(wiring);
  check_all(registry, stack);
  std::ifstream log(registry.log_file());
  std::size_t requests = 0;
  for (std::string line; std::getline(log, line); ++requests)
    EXPECT_TRUE(line.starts_with("HTTP/2.0 ")) << line;
  EXPECT_GT(requests, registry.images().size());
}

TEST_F(RealRegistryTest, TlsWithAPrivateCaNeedsTheCa) {
  const RealRegistry registry({"--tls", "--login"});
  Wiring wiring{.docker_config = login_file(registry.host(), "alice:s3cret")};
  wiring.registry.tls = {registry.host()};
  wiring.http.tls.ca_files = {registry.ca_file()};
  Stack trusting(wiring);
  check_all(registry, trusting);

  wiring.http.tls.ca_files.clear();
  Stack doubting(wiring);
  const std::string image = registry.host() + "/" + registry.images().begin()->first;
  const std::string message = shown(doubting.resolve(image), "");
  EXPECT_TRUE(message.starts_with("invalid: ")) << message;
  EXPECT_NE(message.find("--ca-file"), std::string::npos) << message;
}

}  // namespace
}  // namespace windlass::integration

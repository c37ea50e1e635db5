// Through a forward proxy that takes every name for the fake registry: which names are asked, and
// who sees what.
#include <gtest/gtest.h>

#include "registries.h"
#include "stack.h"
#include "windlass/base/format.h"

namespace windlass::integration {
namespace {

using test_support::certificate_folder;
using test_support::FakeRegistry;
using test_support::Logged;

std::vector<Logged> seen_by(const FakeRegistry& registry, const std::string& listener) {
  std::vector<Logged> log = registry.log();
  std::erase_if(log, [&](const Logged& request) { return request.listener != listener; });
  return log;
}

class Proxy : public testing::Test {
 protected:
  Wiring through_proxy() const {
    Wiring wiring;
    wiring.http.tls.ca_files = {certificate_folder() + "/ca.crt"};
    wiring.http.proxies = {.for_http = plain_.proxy(), .for_https = tls_.proxy(), .except = ""};
    return wiring;
  }

  const FakeRegistry tls_{{"--tls", certificate_folder()}};
  const FakeRegistry plain_;
};

TEST_F(Proxy, TlsGoesThroughItUnseen) {
  Wiring wiring = through_proxy();
  wiring.docker_config = login_file("registry.test", "alice:s3cret");
  Stack stack(std::move(wiring));
  const auto result = stack.resolve("registry.test/b/auth-basic/app:v1");
  EXPECT_EQ(shown(result, tls_.digest("auth-basic")), "D");
  for (const Logged& request : seen_by(tls_, "proxy")) {
    EXPECT_EQ(request.method + " " + request.target, "CONNECT registry.test:443");
    EXPECT_EQ(request.header("authorization"), "");
  }
  ASSERT_EQ(seen_by(tls_, "main").size(), 2U);
  EXPECT_EQ(seen_by(tls_, "main")[1].header("authorization"), "Basic YWxpY2U6czNjcmV0");
}

TEST_F(Proxy, ItsOwnLoginReachesNobodyElseAndIsNeverShown) {
  Wiring wiring = through_proxy();
  wiring.http.proxies.for_https = "http://canary-user:canary-word@" + tls_.proxy().substr(7);
  Stack stack(wiring);
  EXPECT_TRUE(stack.resolve("registry.test/b/plain/app:v1").has_value());
  ASSERT_EQ(seen_by(tls_, "proxy").size(), 1U);
  EXPECT_TRUE(seen_by(tls_, "proxy")[0].header("proxy-authorization").starts_with("Basic "));
  for (const Logged& request : seen_by(tls_, "main"))
    EXPECT_EQ(request.header("proxy-authorization"), "");

  wiring.http.proxies.for_https = "http://canary-user:canary-word@127.0.0.1:1";
  Stack dead(wiring);
  const std::string message = shown(dead.resolve("registry.test/b/plain/app:v1"), "");
  EXPECT_NE(message.find("via proxy 127.0.0.1:1"), std::string::npos) << message;
  EXPECT_EQ(message.find("canary"), std::string::npos) << message;
  EXPECT_FALSE(dead.logger().holds("canary"));
}

TEST_F(Proxy, DockerHubIsAskedAtItsOwnHost) {
  Wiring wiring = through_proxy();
  // The fake cannot have Docker Hub's certificate.
  wiring.registry.registries = registries_of("[[registry]]\nlocation='docker.io'\ninsecure=true");
  Stack stack(wiring);
  for (const std::string image : {"nginx", "docker.io/nginx", "index.docker.io/library/nginx"}) {
    tls_.clear_log();
    EXPECT_TRUE(stack.resolve(image).has_value()) << image;
    EXPECT_EQ(seen_by(tls_, "main").at(0).path, "/v2/library/nginx/manifests/latest");
  }
  Stack fresh(wiring);
  tls_.clear_log();
  EXPECT_TRUE(fresh.resolve("nginx").has_value());
  EXPECT_EQ(seen_by(tls_, "proxy").at(0).target, "registry-1.docker.io:443");
}

TEST_F(Proxy, PlainHttpIsAskedOfItWhole) {
  Wiring wiring = through_proxy();
  wiring.registry.plain_http = {"registry.test:5000"};
  Stack stack(std::move(wiring));
  EXPECT_EQ(shown(stack.resolve("registry.test:5000/b/plain/app:v1"), plain_.digest("plain")), "D");
  EXPECT_EQ(seen_by(plain_, "proxy").at(0).target,
            "http://registry.test:5000/v2/b/plain/app/manifests/v1");
}

TEST_F(Proxy, ATokenServiceInOurOwnNetworkIsAskedOnlyWhereItIsTrusted) {
  // The fake names its own address as the realm: loopback, which no registry elsewhere may.
  Wiring wiring = through_proxy();
  wiring.registry.plain_http = {"registry.test:5000"};
  wiring.docker_config = login_file("registry.test:5000", "alice:s3cret");
  const std::string image = "registry.test:5000/b/auth-bearer/app:v1";
  Stack strict(wiring);
  const std::string refused = shown(strict.resolve(image), "");
  EXPECT_TRUE(refused.starts_with("invalid: ")) << refused;
  EXPECT_NE(refused.find("--trust-realm"), std::string::npos) << refused;
  for (const Logged& request : plain_.log()) EXPECT_FALSE(request.is_token_request());

  wiring.registry.trusted_realms = {"127.0.0.1"};
  Stack trusting(wiring);
  EXPECT_EQ(shown(trusting.resolve(image), plain_.digest("auth-bearer")), "D");
}

}  // namespace
}  // namespace windlass::integration

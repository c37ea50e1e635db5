#include "realm_policy.h"

#include <gtest/gtest.h>

namespace windlass::registry {
namespace {

bool allowed(std::string_view registry, std::string_view realm,
             const std::vector<std::string>& trusted = {}) {
  return may_receive_login(*http::Url::parse(registry), *http::Url::parse(realm), trusted);
}

TEST(RealmPolicy, LoginsGoToTheRegistrysOwnSiteOnly) {
  struct Row {
    std::string_view registry;
    std::string_view realm;
    bool allowed;
  };
  const Row table[] = {
      {"https://registry-1.docker.io/", "https://auth.docker.io/token", true},
      {"https://registry.gitlab.com/", "https://gitlab.com/jwt/auth", true},
      {"https://ghcr.io/", "https://ghcr.io/token", true},
      {"https://registry.test:5000/", "https://registry.test:5001/token", true},
      {"https://registry.example.com/", "https://auth.example.com/token", true},
      {"https://example.com/", "https://auth.example.com/token", true},
      {"https://a.registry.example.co.uk/", "https://b.registry.example.co.uk/token", true},
      {"https://registry.hub.docker.com/", "https://auth.docker.io/token", true},
      {"http://127.0.0.1:5000/", "http://127.0.0.1:5001/token", true},

      {"https://registry.test/", "https://evil.test/token", false},
      {"https://registry.example.com/", "https://example.org/token", false},
      {"https://registry.example.com/", "https://auth.evilexample.com/token", false},
      {"https://example.com/", "https://other.com/token", false},
      {"https://example.co.uk/", "https://evil.co.uk/token", false},
      {"https://mine.azurecr.io/", "https://evil.azurecr.io/token", false},
      {"https://1.dkr.ecr.eu-west-1.amazonaws.com/", "https://evil.eu-west-1.amazonaws.com/",
       false},
      {"https://10.0.0.1/", "https://10.0.0.2/token", false},
      {"https://[2001:db8::1]/", "https://[2001:db8::2]/token", false},
      {"https://registry.test/", "http://registry.test/token", false},
      {"http://registry.test/", "http://auth.registry.test/token", false},
  };
  for (const Row& row : table)
    EXPECT_EQ(allowed(row.registry, row.realm), row.allowed) << row.registry << " -> " << row.realm;
}

TEST(RealmPolicy, TrustIsGivenByHost) {
  const std::vector<std::string> trusted = {"auth.other.test", "auth.port.test:8443"};
  EXPECT_TRUE(allowed("https://registry.test/", "https://auth.other.test/token", trusted));
  EXPECT_TRUE(allowed("https://registry.test/", "https://auth.other.test:8443/token", trusted));
  EXPECT_TRUE(allowed("https://registry.test/", "https://auth.port.test:8443/token", trusted));
  EXPECT_FALSE(allowed("https://registry.test/", "https://auth.port.test/token", trusted));
  EXPECT_FALSE(allowed("https://registry.test/", "http://auth.other.test/token", trusted));
}

}  // namespace
}  // namespace windlass::registry

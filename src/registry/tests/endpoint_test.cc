#include "endpoint.h"

#include <gtest/gtest.h>

namespace windlass::registry {
namespace {

std::string url(std::string_view image, const RegistryOptions& options = {}) {
  const auto sources = sources_of(*image::ImageReference::parse(image), options);
  return sources ? sources->back().urls.front().to_string() : sources.error().message;
}

TEST(ManifestUrl, IsWhereTheRegistryIsAsked) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"nginx", "https://registry-1.docker.io/v2/library/nginx/manifests/latest"},
      {"docker.io/team/nginx:1", "https://registry-1.docker.io/v2/team/nginx/manifests/1"},
      {"registry.test/nginx", "https://registry.test/v2/nginx/manifests/latest"},
      {"registry.test:5000/a/b:v1", "https://registry.test:5000/v2/a/b/manifests/v1"},
      {"[2001:db8::3]:5000/app:v1", "https://[2001:db8::3]:5000/v2/app/manifests/v1"},
      {"localhost:5000/app:v1", "http://localhost:5000/v2/app/manifests/v1"},
      {"127.0.0.1/app:v1", "http://127.0.0.1/v2/app/manifests/v1"},
      {"[::1]:5000/app:v1", "http://[::1]:5000/v2/app/manifests/v1"},
      {"10.0.0.1:5000/app:v1", "https://10.0.0.1:5000/v2/app/manifests/v1"},
      {"127.0.0.1.evil.test/app:v1", "https://127.0.0.1.evil.test/v2/app/manifests/v1"},
  };
  for (const auto& [image, expected] : table) EXPECT_EQ(url(image), expected);
}

TEST(ManifestUrl, PlainHttpIsAllowedHostByHost) {
  EXPECT_EQ(url("registry.test:5000/a:1", {.plain_http = {"registry.test:5000"}}),
            "http://registry.test:5000/v2/a/manifests/1");
  EXPECT_EQ(url("registry.test:5000/a:1", {.plain_http = {"Registry.test"}}),
            "http://registry.test:5000/v2/a/manifests/1");
  EXPECT_EQ(url("registry.test:5001/a:1", {.plain_http = {"registry.test:5000"}}),
            "https://registry.test:5001/v2/a/manifests/1");
  EXPECT_EQ(url("other.test/a:1", {.plain_http = {"registry.test"}}),
            "https://other.test/v2/a/manifests/1");
}

TEST(ManifestUrl, ALoopbackRegistryMaySpeakTls) {
  const RegistryOptions options{.tls = {"localhost:5000"}};
  EXPECT_EQ(url("localhost:5000/a:1", options), "https://localhost:5000/v2/a/manifests/1");
  EXPECT_EQ(url("localhost:5001/a:1", options), "http://localhost:5001/v2/a/manifests/1");
}

TEST(Trust, CoversRealmsAndRedirectsToo) {
  const auto may = [](std::string_view text) {
    const RegistryOptions options{.plain_http = {"plain.test:5000", "any.test"}};
    return Trust(options).may_ask(*http::Url::parse(text));
  };
  EXPECT_TRUE(may("https://anybody.test/"));
  EXPECT_TRUE(may("http://127.0.0.1:9/"));
  EXPECT_TRUE(may("http://plain.test:5000/x"));
  EXPECT_TRUE(may("http://any.test/x"));
  EXPECT_FALSE(may("http://plain.test/x"));
  EXPECT_FALSE(may("http://anybody.test/"));
}

}  // namespace
}  // namespace windlass::registry

#include "windlass/http/proxy_settings.h"

#include <gtest/gtest.h>

#include <map>

namespace windlass::http {
namespace {

bool is_proxied(std::string_view except, std::string_view url) {
  const ProxySettings settings{
      .for_http = "http://p:1", .for_https = "http://p:2", .except = std::string(except)};
  return settings.proxy_of(*Url::parse(url)).has_value();
}

TEST(ProxySettings, ExceptionsFollowTheUsualRules) {
  struct Row {
    std::string_view except;
    std::string_view url;
    bool proxied;
  };
  const Row table[] = {
      {"", "https://registry.test/", true},
      {"registry.test", "https://registry.test/", false},
      {"REGISTRY.test", "https://registry.test:5000/", false},
      {"registry.test", "https://eu.registry.test/", false},
      {"registry.test", "https://myregistry.test/", true},
      {".test", "https://registry.test/", false},
      {"*.test", "https://registry.test/", false},
      {".registry.test", "https://registry.test/", true},
      {"registry.test:5000", "https://registry.test:5000/", false},
      {"registry.test:1", "https://registry.test:5000/", true},
      {"registry.test:443", "https://registry.test/", false},
      {"*", "https://registry.test/", false},
      {" a , registry.test ", "https://registry.test/", false},
      {"10.0.0.0/8", "https://10.1.2.3:5000/", false},
      {"10.0.0.0/8", "https://11.1.2.3/", true},
      {"10.1.2.3", "https://10.1.2.3/", false},
      {"10.0.0.0/99", "https://10.1.2.3/", true},
      {"2001:db8::/32", "https://[2001:db8::3]:5000/", false},
      {"2001:db8::3", "https://[2001:db8::3]/", false},
      {"[2001:db8::3]:5000", "https://[2001:db8::3]:5000/", false},
      {"2001:db9::/32", "https://[2001:db8::3]/", true},
  };
  for (const Row& row : table)
    EXPECT_EQ(is_proxied(row.except, row.url), row.proxied) << row.except << " for " << row.url;
}

TEST(ProxySettings, LoopbackIsNeverProxied) {
  for (const std::string_view url :
       {"http://127.0.0.1:5000/", "https://localhost/", "http://a.localhost/", "http://[::1]:5000/",
        "http://127.9.9.9/"})
    EXPECT_FALSE(is_proxied("", url)) << url;
}

TEST(ProxySettings, EachSchemeHasItsOwnProxy) {
  const ProxySettings settings{.for_http = "", .for_https = "p:2", .except = ""};
  EXPECT_EQ(settings.proxy_of(*Url::parse("https://a.test/")), "p:2");
  EXPECT_EQ(settings.proxy_of(*Url::parse("http://a.test/")), std::nullopt);
}

TEST(ProxySettings, AHostsOwnProxyGoesBeforeEverything) {
  const ProxySettings settings{
      .for_http = "",
      .for_https = "p:2",
      .except = "a.test",
      .for_host = {{"a.test", "own:1"}, {"b.test", ""}, {"c.test:5", "own:2"}}};
  EXPECT_EQ(settings.proxy_of(*Url::parse("https://A.test/")), "own:1");
  EXPECT_EQ(settings.proxy_of(*Url::parse("https://a.test:5/")), "own:1");
  EXPECT_EQ(settings.proxy_of(*Url::parse("https://b.test/")), std::nullopt);
  EXPECT_EQ(settings.proxy_of(*Url::parse("https://c.test:5/")), "own:2");
  EXPECT_EQ(settings.proxy_of(*Url::parse("https://c.test/")), "p:2");
}

TEST(ProxySettings, VariablesInLowerCaseComeFirstAndAllProxyLast) {
  using Variables = std::map<std::string, std::string>;
  const auto from = [](const Variables& variables) {
    const ProxySettings settings = ProxySettings::from_variables([&](const std::string& name) {
      const auto found = variables.find(name);
      return found == variables.end() ? std::string() : found->second;
    });
    return settings.for_http + " " + settings.for_https + " " + settings.except;
  };
  EXPECT_EQ(from({}), "  ");
  EXPECT_EQ(from({{"HTTP_PROXY", "a"}, {"HTTPS_PROXY", "b"}, {"NO_PROXY", "c"}}), "a b c");
  EXPECT_EQ(from({{"HTTPS_PROXY", "upper"}, {"https_proxy", "lower"}, {"ALL_PROXY", "all"}}),
            "all lower ");
  EXPECT_EQ(from({{"all_proxy", "all"}, {"no_proxy", "x"}, {"NO_PROXY", "y"}}), "all all x");
}

TEST(ProxySettings, ShownProxyHoldsNoPassword) {
  EXPECT_EQ(shown_proxy("http://alice:canary@proxy.test:3128/"), "proxy.test:3128");
  EXPECT_EQ(shown_proxy("alice:c@n/ry@proxy.test:3128"), "proxy.test:3128");
  EXPECT_EQ(shown_proxy("proxy.test"), "proxy.test");
}

}  // namespace
}  // namespace windlass::http

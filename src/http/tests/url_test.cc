#include "windlass/http/url.h"

#include <gtest/gtest.h>

namespace windlass::http {
namespace {

TEST(Url, IsTakenApartAsTheConnectionWillTakeIt) {
  struct Row {
    std::string_view text;
    bool https;
    std::string_view host;
    int port;
    std::string_view authority;
  };
  const Row table[] = {
      {"https://Registry.Test/v2/", true, "registry.test", 443, "registry.test"},
      {"https://registry.test:443/v2/", true, "registry.test", 443, "registry.test"},
      {"http://registry.test:5000/v2/", false, "registry.test", 5000, "registry.test:5000"},
      {"HTTP://127.0.0.1/", false, "127.0.0.1", 80, "127.0.0.1"},
      {"https://[2001:db8::3]:5000/v2/app/manifests/v1", true, "[2001:db8::3]", 5000,
       "[2001:db8::3]:5000"},
  };
  for (const Row& row : table) {
    const Result<Url> url = Url::parse(row.text);
    ASSERT_TRUE(url.has_value()) << url.error().message;
    EXPECT_EQ(url->is_https(), row.https) << row.text;
    EXPECT_EQ(url->host(), row.host);
    EXPECT_EQ(url->port(), row.port);
    EXPECT_EQ(url->authority(), row.authority);
  }
}

TEST(Url, TellsLoopbackAddressesFromNamesThatLookLikeThem) {
  for (const char* host : {"127.0.0.1", "127.9.8.7:5000", "[::1]", "[0:0:0:0:0:0:0:1]:80"})
    EXPECT_TRUE(Url::parse(std::string("http://") + host)->is_loopback_address()) << host;
  for (const char* host : {"127.evil.test", "127.0.0.1.test", "localhost", "128.0.0.1", "[::2]"})
    EXPECT_FALSE(Url::parse(std::string("http://") + host)->is_loopback_address()) << host;
}

TEST(Url, RefusesWhatIsNoWebAddress) {
  for (const std::string_view text :
       {"", "registry.test", "ftp://registry.test/", "https://", "https:/registry.test",
        "file:///etc", "https://registry.test:99999/", "https://a b/", "https://x\r\ny/",
        "https://[::1/"}) {
    EXPECT_FALSE(Url::parse(text).has_value()) << text;
  }
  EXPECT_EQ(Url::parse("https://registry.test:0/").error().message,
            "\"https://registry.test:0/\" is not a usable URL: no server has that port");
}

TEST(Url, NeverShowsAPasswordInIt) {
  for (const std::string_view text :
       {"https://alice:canary@registry.test/", "ht://alice:canary@registry.test/",
        "alice:canary@registry.test", "https://alice:x?2#canary@registry.test/",
        "a:canary://x@registry.test"}) {
    const Result<Url> url = Url::parse(text);
    ASSERT_FALSE(url.has_value());
    EXPECT_EQ(url.error().message.find("canary"), std::string::npos) << url.error().message;
  }
  EXPECT_TRUE(Url::parse("ht://a:b@host/x").error().message.starts_with("\"ht://...@host/x\" is"));
}

TEST(Url, NeverShowsTheQueryOfWhatCannotBeUsed) {
  const Url base = *Url::parse("https://registry.test/v2/");
  for (const std::string_view text :
       {"https://other.test:99999/x?sig=canary", "ftp://other.test/x?sig=canary",
        "https://a b/?sig=canary", "https://alice:canary@other.test/x",
        "http://x\t:canary@other/"}) {
    for (const Result<Url>& url : {base.resolve(text), Url::parse(text)}) {
      ASSERT_FALSE(url.has_value()) << text;
      EXPECT_EQ(url.error().message.find("canary"), std::string::npos) << url.error().message;
    }
  }
}

TEST(Url, ResolvesReferencesOfEveryForm) {
  const Url base = *Url::parse("https://registry.test:5000/v2/app/manifests/v1?x=1");
  const std::pair<std::string_view, std::string_view> table[] = {
      {"https://other.test/y", "https://other.test/y"},
      {"//other.test/y", "https://other.test/y"},
      {"/token", "https://registry.test:5000/token"},
      {"v2", "https://registry.test:5000/v2/app/manifests/v2"},
      {"../blobs/b?q=2", "https://registry.test:5000/v2/app/blobs/b?q=2"},
  };
  for (const auto& [reference, resolved] : table) {
    const Result<Url> url = base.resolve(reference);
    ASSERT_TRUE(url.has_value()) << reference << ": " << url.error().message;
    EXPECT_EQ(url->to_string(), resolved);
  }
  EXPECT_FALSE(base.resolve("ftp://other.test/").has_value());
  EXPECT_FALSE(base.resolve("https://u:p@other.test/").has_value());
}

TEST(Url, OriginIsSchemeHostAndPort) {
  const Url url = *Url::parse("https://registry.test/a");
  EXPECT_TRUE(url.same_origin(*Url::parse("https://REGISTRY.test:443/b")));
  EXPECT_FALSE(url.same_origin(*Url::parse("http://registry.test/a")));
  EXPECT_FALSE(url.same_origin(*Url::parse("https://registry.test:444/a")));
  EXPECT_FALSE(url.same_origin(*Url::parse("https://registry.test.evil/a")));
}

TEST(Url, WithQueryKeepsWhatIsThere) {
  const std::pair<std::string, std::string> added[] = {{"scope", "repository:a/b:pull"},
                                                       {"account", "robot$ci"}};
  EXPECT_EQ(Url::parse("https://a.test/t")->with_query(added).to_string(),
            "https://a.test/t?scope=repository%3Aa%2Fb%3Apull&account=robot%24ci");
  EXPECT_EQ(Url::parse("https://a.test/t?x=1,2")->with_query(added).to_string(),
            "https://a.test/t?x=1,2&scope=repository%3Aa%2Fb%3Apull&account=robot%24ci");
}

TEST(Url, ShownLeavesQueryValuesOut) {
  EXPECT_EQ(Url::parse("https://a.test/t?sig=canary")->shown(), "https://a.test/t?...");
}

}  // namespace
}  // namespace windlass::http

#include "fetch.h"

#include <gtest/gtest.h>

#include "harness.h"

namespace windlass::registry {
namespace {

const std::string kBasicAlice = "Basic YWxpY2U6czNjcmV0";

http::Response redirect(int code, std::string location) {
  return status(code, {{"Location", std::move(location)}});
}

TEST(Fetch, RedirectsAreFollowedWithTheSameMethod) {
  for (const int code : {301, 302, 303, 307, 308}) {
    Harness harness([&](const Asked& asked) {
      return asked.goes_to("https://registry.test/v2/") ? redirect(code, "/moved?a=1&b=%2F")
                                                        : head_answer();
    });
    ASSERT_TRUE(harness.resolve("registry.test/app:v1").has_value()) << code;
    EXPECT_EQ(harness.log().at(1), "HEAD https://registry.test/moved?a=1&b=%2F");
  }
}

TEST(Fetch, LoginsStayWithTheirOrigin) {
  // Same host, other port and other scheme are other origins too.
  for (const std::string target : {"https://other.test/x", "https://registry.test:444/x"}) {
    Harness harness(
        [&](const Asked& asked) {
          if (asked.goes_to(target)) return head_answer();
          if (asked.authorization.empty()) return challenge("Basic realm=\"x\"");
          return redirect(307, target);
        },
        {}, logins({"alice:s3cret"}));
    const auto result = harness.resolve("registry.test/app:v1");
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(harness.log().at(1), "HEAD https://registry.test/v2/app/manifests/v1 " + kBasicAlice);
    EXPECT_EQ(harness.log().at(2), "HEAD " + target);
  }
}

TEST(Fetch, LoginsDoNotComeBackAfterADetour) {
  Harness harness(
      [&](const Asked& asked) {
        if (asked.goes_to("https://registry.test/back")) return head_answer();
        if (asked.goes_to("https://other.test/"))
          return redirect(307, "https://registry.test/back");
        if (asked.authorization.empty()) return challenge("Basic realm=\"x\"");
        return redirect(307, "https://other.test/x");
      },
      {}, logins({"alice:s3cret"}));
  ASSERT_TRUE(harness.resolve("registry.test/app:v1").has_value());
  EXPECT_EQ(harness.log().back(), "HEAD https://registry.test/back");
}

TEST(Fetch, SameOriginKeepsTheLogin) {
  Harness harness(
      [&](const Asked& asked) {
        if (asked.authorization.empty()) return challenge("Basic realm=\"x\"");
        return asked.goes_to("https://registry.test/v2/")
                   ? redirect(307, "https://REGISTRY.test:443/x")
                   : head_answer();
      },
      {}, logins({"alice:s3cret"}));
  ASSERT_TRUE(harness.resolve("registry.test/app:v1").has_value());
  EXPECT_TRUE(harness.log().back().ends_with(kBasicAlice)) << harness.log().back();
}

TEST(Fetch, BadRedirectsAreFinal) {
  struct Row {
    http::Response answer;
    std::string_view says;
  };
  const Row table[] = {
      {redirect(307, "http://registry.test/x"), "from https to http"},
      {redirect(307, "http://127.0.0.1/x"), "from https to http"},
      {redirect(307, "ftp://registry.test/x"), "not a usable URL"},
      {redirect(307, "https://u:canary@registry.test/x"), "user name or password"},
      {status(307), "without saying where to"},
      {redirect(307, "/v2/app/manifests/v1"), "more than 10 times"},
  };
  for (const Row& row : table) {
    Harness harness([&](const Asked&) { return row.answer; });
    const auto result = harness.resolve("registry.test/app:v1");
    ASSERT_FALSE(result.has_value()) << row.says;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
    EXPECT_NE(result.error().message.find(row.says), std::string::npos) << result.error().message;
    EXPECT_EQ(result.error().message.find("canary"), std::string::npos);
    EXPECT_TRUE(
        result.error().message.ends_with("; check the name, or ask who runs it to mend that"))
        << result.error().message;
    EXPECT_LE(harness.log().size(), 11U);
  }
}

TEST(Fetch, PlainHttpRedirectsNeedTheirOwnPermission) {
  Harness harness([](const Asked& asked) {
    return asked.goes_to("http://127.0.0.1") ? redirect(307, "http://elsewhere.test/x")
                                             : head_answer();
  });
  const auto result = harness.resolve("127.0.0.1:5000/app:v1");
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().message.find("--plain-http elsewhere.test"), std::string::npos);
}

TEST(Fetch, ALoginWantedElsewhereIsNotGiven) {
  Harness harness(
      [](const Asked& asked) {
        return asked.goes_to("https://registry.test") ? redirect(307, "https://other.test/x")
                                                      : challenge("Basic realm=\"x\"");
      },
      {}, logins({"alice:s3cret"}));
  const auto result = harness.resolve("registry.test/app:v1");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(result.error().message.ends_with(
      "redirects to other.test, which wants a login of its own, and none is sent there; ask who "
      "runs registry.test to mend that"))
      << result.error().message;
  EXPECT_EQ(harness.log().size(), 2U);
}

}  // namespace
}  // namespace windlass::registry

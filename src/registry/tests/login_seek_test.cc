// Registries that refuse whom they do not know without asking for a login.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness.h"
#include "login.h"

namespace windlass::registry {
namespace {

using credentials::Credential;
using credentials::Secret;
using Log = std::vector<std::string>;

const std::string kImage = "registry.test/team/app:v1";
const std::string kUrl = "https://registry.test/v2/team/app/manifests/v1";
const std::string kBase = "https://registry.test/v2/";
const std::string kTokenUrl =
    "https://registry.test/token?service=reg&scope=repository%3Ateam%2Fapp%3Apull";
const std::string kBearer = R"(Bearer realm="https://registry.test/token",service="reg")";
const std::string kAlice = "Basic YWxpY2U6czNjcmV0";  // alice:s3cret

// Hides its images behind `hidden`; /v2/ gives `base`.
Answers hiding_registry(int hidden, http::Response base) {
  return [=](const Asked& asked) {
    if (asked.request.url == kBase) return base;
    if (asked.goes_to("https://registry.test/token"))
      return asked.authorization == kAlice ? token_answer("t") : status(401);
    const bool is_known = asked.authorization == kAlice || asked.authorization == "Bearer t";
    return is_known ? head_answer() : status(hidden);
  };
}

TEST(LoginSeek, WhereARefusalAsksForNothingTheRegistryIsAskedHowToLogIn) {
  for (const int hidden : {403, 404}) {
    Harness basic(hiding_registry(hidden, challenge("Basic realm=x")), {},
                  logins({"alice:s3cret"}));
    const auto result = basic.resolve(kImage);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(result->credential_source, "user alice from config.json");
    EXPECT_EQ(basic.log(),
              (Log{"HEAD " + kUrl, "GET " + kUrl, "GET " + kBase, "HEAD " + kUrl + " " + kAlice}));

    Harness bearer(hiding_registry(hidden, challenge(kBearer)), {}, logins({"alice:s3cret"}));
    ASSERT_TRUE(bearer.resolve(kImage).has_value());
    EXPECT_EQ(bearer.log(), (Log{"HEAD " + kUrl, "GET " + kUrl, "GET " + kBase,
                                 "GET " + kTokenUrl + " " + kAlice, "HEAD " + kUrl + " Bearer t"}));
  }
}

TEST(LoginSeek, WhatOpenedIsRememberedForTheHost) {
  Harness harness(hiding_registry(403, challenge("Basic realm=x")), {}, logins({"alice:s3cret"}));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log().size(), 5U);
}

TEST(LoginSeek, WhatDidNotOpenIsNotRemembered) {
  Harness harness(
      [](const Asked& asked) {
        if (asked.request.url == kBase) return challenge("Basic realm=x");
        return asked.goes_to("https://registry.test/v2/open/") ? head_answer() : status(403);
      },
      {}, logins({"alice:s3cret"}));
  ASSERT_FALSE(harness.resolve(kImage).has_value());
  ASSERT_TRUE(harness.resolve("registry.test/open/app:v1").has_value());
  EXPECT_EQ(harness.log().back(), "HEAD https://registry.test/v2/open/app/manifests/v1");
}

TEST(LoginSeek, WithoutALoginNobodyIsAsked) {
  Harness harness(hiding_registry(403, challenge("Basic realm=x")));
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kUrl, "GET " + kUrl}));
  EXPECT_EQ(result.error().message,
            kImage +
                ": registry.test GET of /v2/team/app/manifests/v1 (anonymous): answered 403; "
                "log in there");
}

TEST(LoginSeek, ARefusalOfTheLoginIsFinalAndNamesIt) {
  Harness harness(
      [](const Asked& asked) {
        return asked.request.url == kBase ? challenge("Basic realm=x") : status(403);
      },
      {}, logins({"alice:s3cret"}));
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kForbidden);
  EXPECT_EQ(result.error().message,
            kImage +
                ": registry.test GET of /v2/team/app/manifests/v1 (user alice from "
                "config.json): answered 403; ask its owner for access");
  EXPECT_EQ(harness.log().size(), 5U);
}

TEST(LoginSeek, EveryLoginIsTriedOnceAndARefusalNamesAll) {
  Harness harness(
      [](const Asked& asked) {
        if (asked.request.url == kBase || !asked.authorization.empty())
          return challenge("Basic realm=x");
        return status(403);
      },
      {}, logins({"alice:s3cret", "bob:never"}));
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kUnauthenticated);
  EXPECT_TRUE(result.error().message.contains("refused all 2 logins: user alice from config.json"))
      << result.error().message;
  EXPECT_EQ(harness.log().size(), 5U);
}

TEST(LoginSeek, AnImageThatIsNotThereStaysSoWhateverBecomesOfTheLogin) {
  Harness harness(
      [](const Asked& asked) {
        if (asked.request.url == kBase || !asked.authorization.empty())
          return challenge("Basic realm=x");
        return status(404);
      },
      {}, logins({"alice:wrong"}));
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(
      result.error().message.contains("(anonymous): answered 404; then registry.test "
                                      "refused the login: user alice from config.json"))
      << result.error().message;
}

TEST(LoginSeek, WhereNothingIsAskedAPasswordIsSentOverTlsAlone) {
  Harness tls(hiding_registry(403, status(200)), {}, logins({"alice:s3cret"}));
  EXPECT_TRUE(tls.resolve(kImage).has_value());

  Harness plain([](const Asked& asked) { return asked.is_head() ? status(403) : status(403); },
                {.plain_http = {"registry.test"}}, logins({"alice:s3cret"}));
  const auto result = plain.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  for (const std::string& line : plain.log()) EXPECT_FALSE(line.contains("Basic")) << line;
  EXPECT_TRUE(result.error().message.ends_with(
      "answered 403; user alice from config.json was not sent, for registry.test does not ask for "
      "a login; ask its owner how to log in"))
      << result.error().message;
}

TEST(LoginSeek, NothingIsSentUnaskedWhereNothingIsKnownOfTheHost) {
  struct Row {
    std::string_view name;
    Result<http::Response> base;
  };
  const Row table[] = {
      {"a way that is not known here", challenge("Negotiate")},
      {"no answer", fail(ErrorCode::kUnavailable, "broken")},
      {"another host", status(307, {{"Location", "https://other.test/"}})},
  };
  for (const Row& row : table) {
    Harness harness(
        [&](const Asked& asked) -> Result<http::Response> {
          if (asked.goes_to("https://other.test/")) return challenge("Basic realm=x");
          return asked.request.url == kBase ? row.base : status(403);
        },
        {}, logins({"alice:s3cret"}));
    const auto result = harness.resolve(kImage);
    ASSERT_FALSE(result.has_value()) << row.name;
    EXPECT_EQ(result.error().code, ErrorCode::kForbidden) << row.name;
    for (const std::string& line : harness.log()) EXPECT_FALSE(line.contains("Basic")) << line;
  }
}

TEST(LoginSeek, NoTokenIsSentUnasked) {
  Harness harness(hiding_registry(403, status(200)), {},
                  login(Credential::identity_token("", Secret("refresh-1"), "config.json")));
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_TRUE(result.error().message.contains("identity token from config.json was not sent"))
      << result.error().message;
}

TEST(LoginSeek, NoLoginOfOursIsForWhereARedirectLeads) {
  Harness harness(
      [](const Asked& asked) {
        if (asked.goes_to("https://other.test/")) return status(403);
        return status(307, {{"Location", "https://other.test/x"}});
      },
      {}, logins({"alice:s3cret"}));
  ASSERT_FALSE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log().size(), 4U);
  for (const std::string& line : harness.log()) EXPECT_FALSE(line.contains("Basic")) << line;
}

TEST(LoginSeek, ARefusalThatAsksForALoginIsAQuestionLikeAnyOther) {
  Harness harness(
      [](const Asked& asked) {
        if (asked.authorization == kAlice) return head_answer();
        return status(403, {{"WWW-Authenticate", "Basic realm=x"}});
      },
      {}, logins({"alice:s3cret"}));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kUrl, "HEAD " + kUrl + " " + kAlice}));
}

TEST(LoginSeek, WhyNoLoginCouldBeHadIsSaid) {
  struct Broken final : credentials::Keychain {
    void find(const image::ImageReference&, std::stop_token, Callback done) override {
      done({.candidates = {},
            .problems = {{.code = ErrorCode::kInvalid, .message = "helper x is not there"}}});
    }
  };
  Harness harness(hiding_registry(403, challenge("Basic realm=x")), {}, std::make_shared<Broken>());
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_TRUE(result.error().message.contains("answered 403; helper x is not there; log in"))
      << result.error().message;
}

}  // namespace
}  // namespace windlass::registry

#include "echo.h"

#include <gtest/gtest.h>

#include "harness.h"
#include "windlass/credentials/base64.h"

namespace windlass::registry {
namespace {

const std::string kToken = "eyJhbGciOiJFUzI1NiJ9.canary/canary+canary";

std::string after_masking(int code, std::string body, const std::string& authorization) {
  http::Response response = status(code, {}, std::move(body));
  mask_login(response, {.url = "https://registry.test/",
                        .headers = {{"Accept", "*/*"}, {"authorization", authorization}}});
  return response.body;
}

TEST(MaskLogin, LeavesNothingOfWhatWasSent) {
  const std::string basic = credentials::base64_encode("alice:can:ary");
  struct Row {
    std::string body;
    std::string authorization;
    std::string masked;
  };
  const Row table[] = {
      {"bad header Bearer " + kToken + "!", "Bearer " + kToken, "bad header Bearer ***!"},
      {kToken + kToken, "bearer " + kToken, "******"},
      {"header Basic " + basic + " is alice:can:ary", "Basic " + basic,
       "header Basic *** is alice:***"},
      // Cut short by the server.
      {"token " + kToken.substr(0, 18) + "...", "Bearer " + kToken, "token ***..."},
      // Written in another way.
      {R"({"errors":[{"message":"eyJhbGciOiJFUzI1NiJ9.canary\/c\u0061nary+canary"}]})",
       "Bearer " + kToken, R"({"errors":[{"message":"***"}]})"},
      {R"({"a":{"b":["can:ary",1,null]}})", "Basic " + basic, R"({"a":{"b":["***",1,null]}})"},
      {"{can:ary", "Basic " + basic, "{***"},
      {"nothing of it", "Bearer " + kToken, "nothing of it"},
      {"an empty password: alice:", "Basic " + credentials::base64_encode("alice:"),
       "an empty password: alice:"},
      {"", "Bearer " + kToken, ""},
      {"odd", "Basic", "odd"},
  };
  for (const Row& row : table)
    EXPECT_EQ(after_masking(403, row.body, row.authorization), row.masked);
}

TEST(MaskLogin, LeavesManifestsAlone) {
  EXPECT_EQ(after_masking(200, kToken, "Bearer " + kToken), kToken);
}

TEST(MaskLogin, NeedsALogin) {
  http::Response response = status(403, {}, "denied");
  mask_login(response, {.url = "https://registry.test/"});
  EXPECT_EQ(response.body, "denied");
}

// Redirects are followed as they are written, and shown without it.
TEST(WithoutLogin, ARedirectThatIsNotFollowedDoesNotShowIt) {
  for (const char* target : {"http://x.test/alice/s3cret-canary", "https://10.0.0.1/s3cret-canary",
                             "ftp://x.test/YWxpY2U6czNjcmV0LWNhbmFyeQ==", "/again/s3cret-canary",
                             "/again/YWxpY2U6czNjcmV0LWNhbmFyeQ%3D%3D"}) {
    Harness harness(
        [&](const Asked& asked) {
          return asked.authorization.empty() ? challenge("Basic realm=\"x\"")
                                             : status(307, {{"Location", target}});
        },
        {}, logins({"alice:s3cret-canary"}));
    const auto result = harness.resolve("registry.test/app:v1");
    ASSERT_FALSE(result.has_value());
    EXPECT_TRUE(result.error().message.contains("redirects")) << result.error().message;
    for (const char* secret : {"canary", "YWxpY2U6czNj"})
      EXPECT_FALSE(result.error().message.contains(secret)) << result.error().message;
  }
}

// What a lookup's error holds when everybody repeats everything.
TEST(Echo, OfALoginIsNotShown) {
  const std::string realm = "Bearer realm=\"https://registry.test/token\"";
  const auto repeat = [](const Asked& asked) {
    return status(403, {}, asked.authorization + " " + asked.request.body + " s3cret/canary+x");
  };
  struct Row {
    std::string challenge;
    bool has_tokens;
    credentials::Credential credential;
  };
  using credentials::Credential;
  using credentials::Secret;
  const Secret secret("s3cret/canary+x");
  const Row table[] = {
      {"Basic realm=\"x\"", false, Credential::password("alice", secret, "file")},
      {realm, false, Credential::password("alice", secret, "file")},
      {realm, true, Credential::password("alice", secret, "file")},
      {realm, false, Credential::identity_token("alice", secret, "file")},
      {realm, false, Credential::registry_token(secret, "file")},
  };
  for (const Row& row : table) {
    Harness harness(
        [&](const Asked& asked) -> http::Response {
          if (asked.goes_to("https://registry.test/token") && row.has_tokens)
            return token_answer("s3cret/canary+x");
          if (asked.goes_to("https://registry.test/token")) return repeat(asked);
          return asked.authorization.empty() ? challenge(row.challenge) : repeat(asked);
        },
        {}, login(row.credential));
    const auto result = harness.resolve("registry.test/app:v1");
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().message.find("canary"), std::string::npos) << result.error().message;
    EXPECT_EQ(result.error().message.find(credentials::base64_encode("alice:s3cret/canary+x")),
              std::string::npos)
        << result.error().message;
    EXPECT_NE(result.error().message.find("***"), std::string::npos) << result.error().message;
  }
}

}  // namespace
}  // namespace windlass::registry

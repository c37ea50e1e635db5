#include "token.h"

#include <gtest/gtest.h>

namespace windlass::registry {
namespace {

using credentials::Credential;
using credentials::Secret;
using std::chrono::seconds;

TokenRequest request(std::string_view realm, std::optional<std::string> service,
                     Credential credential) {
  return {.realm = *http::Url::parse(realm),
          .service = std::move(service),
          .scope = "repository:team/app:pull",
          .credential = std::move(credential)};
}

Result<Token> parse(std::string body, http::Headers headers = {}) {
  return parse_token({.status = 200, .headers = std::move(headers), .body = std::move(body)},
                     *http::Url::parse("https://a.test/token?key=canary"));
}

TEST(TokenRequest, KeepsTheRealmsOwnQuery) {
  EXPECT_EQ(to_http(request("https://a.test/t?x=1,2", "s", Credential::anonymous())).url,
            "https://a.test/t?x=1,2&service=s&scope=repository%3Ateam%2Fapp%3Apull");
  EXPECT_EQ(to_http(request("https://a.test/t", std::nullopt, Credential::anonymous())).url,
            "https://a.test/t?scope=repository%3Ateam%2Fapp%3Apull");
  EXPECT_EQ(to_http(request("https://a.test/t", "", Credential::anonymous())).url,
            "https://a.test/t?service=&scope=repository%3Ateam%2Fapp%3Apull");
}

TEST(TokenRequest, PasswordsGoInTheHeaderAndNowhereElse) {
  const http::Request sent = to_http(
      request("https://a.test/t", "s", Credential::password("robot$ci", Secret("p:a:ss"), "x")));
  EXPECT_EQ(sent.method, http::Method::kGet);
  EXPECT_EQ(*sent.headers.find("Authorization"), "Basic cm9ib3QkY2k6cDphOnNz");
  EXPECT_EQ(sent.url.find("ss&"), std::string::npos);
}

TEST(TokenRequest, EmptyPasswordsAreSent) {
  const http::Request sent =
      to_http(request("https://a.test/t", "s", Credential::password("bob", Secret(""), "x")));
  EXPECT_EQ(*sent.headers.find("Authorization"), "Basic Ym9iOg==");
}

TEST(TokenRequest, IdentityTokensArePosted) {
  const http::Request sent = to_http(
      request("https://a.test/t?x=1", "s s", Credential::identity_token("", Secret("ref/1"), "x")));
  EXPECT_EQ(sent.method, http::Method::kPost);
  EXPECT_EQ(sent.url, "https://a.test/t?x=1");
  EXPECT_EQ(sent.headers.find("Authorization"), nullptr);
  EXPECT_EQ(sent.body,
            "service=s%20s&scope=repository%3Ateam%2Fapp%3Apull&client_id=windlass&"
            "grant_type=refresh_token&refresh_token=ref%2F1");
}

TEST(TokenRequest, KeyTellsApartWhatTokensAreGoodFor) {
  const std::string key = request("https://a.test/t", "s", Credential::anonymous()).key();
  EXPECT_EQ(key, request("https://a.test/t", "s", Credential::anonymous()).key());
  EXPECT_NE(key, request("https://b.test/t", "s", Credential::anonymous()).key());
  EXPECT_NE(key, request("https://a.test/t", "", Credential::anonymous()).key());
  EXPECT_NE(key, request("https://a.test/t", std::nullopt, Credential::anonymous()).key());
  EXPECT_NE(
      key,
      request("https://a.test/t", "s", Credential::password("a", Secret("canary"), "x")).key());
}

TEST(Token, EitherNameWillDo) {
  const std::pair<std::string, std::string_view> table[] = {
      {R"({"token":"one"})", "one"},
      {R"({"access_token":"two"})", "two"},
      {R"({"token":"one","access_token":"two"})", "one"},
      {R"({"token":"","access_token":"two"})", "two"},
      {R"({"token":null,"access_token":"two"})", "two"},
  };
  for (const auto& [body, value] : table) EXPECT_EQ(parse(body)->value.reveal(), value) << body;
}

TEST(Token, WhatIsNoTokenIsRefusedAndNeverQuoted) {
  for (const std::string body :
       {R"({"canary":1})", "<html>canary</html>", "[\"canary\"]", "", R"({"token":["canary"]})",
        R"({"token":"canary\r\nX-Injected: 1"})", R"({"token":"can ary"})",
        R"({"token":"canary)"}) {
    const Result<Token> token = parse(body);
    ASSERT_FALSE(token.has_value()) << body;
    EXPECT_EQ(token.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(
        token.error().message.starts_with("no token in the answer of https://a.test/token?...: "))
        << token.error().message;
    EXPECT_EQ(token.error().message.find("canary"), std::string::npos);
  }
  EXPECT_FALSE(parse(R"({"token":")" + std::string(100'000, 'x') + "\"}").has_value());
}

TEST(Token, LifetimeIsAsSaidLessItsAgeByTheServersClock) {
  const std::string issued = R"(,"issued_at":"2026-01-01T10:00:00.5Z")";
  struct Row {
    std::string members;
    std::string date;
    seconds lifetime;
  };
  const Row table[] = {
      {"", "", seconds(60)},
      {R"(,"expires_in":300)", "", seconds(300)},
      {R"(,"expires_in":300)" + issued, "", seconds(300)},
      {R"(,"expires_in":300)" + issued, "Thu, 01 Jan 2026 10:01:00 GMT", seconds(240)},
      {R"(,"expires_in":300)" + issued, "Thu, 01 Jan 2026 09:00:00 GMT", seconds(300)},
      {R"(,"expires_in":300)" + issued, "Fri, 02 Jan 2026 10:00:00 GMT", seconds(0)},
      {R"(,"expires_in":300,"issued_at":"0226-02-01T10:00:00Z")", "Fri, 02 Jan 2026 10:00:00 GMT",
       seconds(0)},
      {R"(,"expires_in":"soon")", "", seconds(60)},
      {R"(,"expires_in":-1)", "", seconds(60)},
      {R"(,"expires_in":1e3)", "", seconds(1000)},
      {R"(,"expires_in":9223372036854775807)", "", std::chrono::hours(24)},
  };
  for (const Row& row : table) {
    http::Headers headers;
    if (!row.date.empty()) headers.add("Date", row.date);
    const Result<Token> token = parse(R"({"token":"x")" + row.members + "}", headers);
    ASSERT_TRUE(token.has_value()) << row.members;
    EXPECT_EQ(token->lifetime, row.lifetime) << row.members << row.date;
  }
}

}  // namespace
}  // namespace windlass::registry

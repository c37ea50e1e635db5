// How lookups identify themselves: what registries ask for, what is sent, to whom, and how often.
#include "login.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <thread>

#include "harness.h"

namespace windlass::registry {
namespace {

using credentials::Credential;
using credentials::Secret;

const std::string kImage = "registry.test/team/app:v1";
const std::string kUrl = "https://registry.test/v2/team/app/manifests/v1";
const std::string kToken = "https://registry.test/token";
const std::string kTokenUrl = kToken + "?service=reg&scope=repository%3Ateam%2Fapp%3Apull";
const std::string kBearer = R"(Bearer realm="https://registry.test/token",service="reg")";
const std::string kAlice = "Basic YWxpY2U6czNjcmV0";       // alice:s3cret
const std::string kAliceWrong = "Basic YWxpY2U6d3Jvbmc=";  // alice:wrong

using Log = std::vector<std::string>;

// Wants Basic, and takes alice:s3cret.
http::Response basic_registry(const Asked& asked) {
  return asked.authorization == kAlice ? head_answer() : challenge("Basic realm=\"reg\"");
}

// Wants a token; its service gives one to alice:s3cret, and to nobody if `anonymous` is good too.
Answers bearer_registry(bool anonymous, std::string header = kBearer) {
  return [=](const Asked& asked) {
    if (asked.goes_to(kToken)) {
      const bool good = asked.authorization == kAlice || (anonymous && asked.authorization.empty());
      return good ? token_answer("t" + std::to_string(asked.count)) : status(401);
    }
    return asked.authorization.starts_with("Bearer t") ? head_answer() : challenge(header);
  };
}

TEST(Login, NothingIsSentUnasked) {
  Harness harness([](const Asked&) { return head_answer(); }, {}, logins({"alice:s3cret"}));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kUrl}));
}

TEST(Login, BasicIsAnsweredWithThePassword) {
  Harness harness(basic_registry, {}, logins({"alice:s3cret"}));
  const auto result = harness.resolve(kImage);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->credential_source, "user alice from config.json");
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kUrl, "HEAD " + kUrl + " " + kAlice}));
}

TEST(Login, BearerIsAnsweredWithAToken) {
  for (const bool with_login : {false, true}) {
    Harness harness(bearer_registry(true), {}, with_login ? logins({"alice:s3cret"}) : nullptr);
    const auto result = harness.resolve(kImage);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(harness.log(),
              (Log{"HEAD " + kUrl, "GET " + kTokenUrl + (with_login ? " " + kAlice : ""),
                   "HEAD " + kUrl + " Bearer t0"}));
  }
}

TEST(Login, ChallengeAndTokenAreUsedAgain) {
  Harness harness(bearer_registry(true));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log().size(), 2U + 20U);
}

TEST(Login, AnExpiredTokenIsReplacedBeforeUse) {
  Harness harness(bearer_registry(true));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  harness.clock.advance(std::chrono::seconds(301));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log().back(), "HEAD " + kUrl + " Bearer t1");
}

TEST(Login, ARefusedTokenFromTheCacheIsReplacedOnce) {
  for (const int refusal : {401, 400}) {
    bool revoked = false;
    int fresh = 0;
    Harness harness([&](const Asked& asked) {
      if (asked.goes_to(kToken)) return token_answer("t" + std::to_string(fresh++));
      if (asked.authorization.empty()) return challenge(kBearer);
      if (revoked && asked.authorization == "Bearer t0") return status(refusal);
      return head_answer();
    });
    ASSERT_TRUE(harness.resolve(kImage).has_value());
    revoked = true;
    const auto result = harness.resolve(kImage);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    EXPECT_EQ(harness.log().back(), "HEAD " + kUrl + " Bearer t1");
  }
}

TEST(Login, ManyLookupsOfARepositoryShareOneExchange) {
  Harness harness(bearer_registry(true));
  for (int i = 0; i < 100; ++i) harness.start("registry.test/team/app:v" + std::to_string(i));
  for (const auto& result : harness.finish_all()) EXPECT_TRUE(result.has_value());
  const Log log = harness.log();
  EXPECT_EQ(std::ranges::count(log, "GET " + kTokenUrl), 1);
}

TEST(Login, EachRepositoryAsksForItsOwnScopeAndPullOnly) {
  Harness harness(bearer_registry(true, kBearer + R"(,scope="repository:someone/else:pull,push")"));
  ASSERT_TRUE(harness.resolve("registry.test/one:v1").has_value());
  ASSERT_TRUE(harness.resolve("registry.test/two:v1").has_value());
  EXPECT_EQ(harness.log(), (Log{"HEAD https://registry.test/v2/one/manifests/v1",
                                "GET " + kToken + "?service=reg&scope=repository%3Aone%3Apull",
                                "HEAD https://registry.test/v2/one/manifests/v1 Bearer t0",
                                "GET " + kToken + "?service=reg&scope=repository%3Atwo%3Apull",
                                "HEAD https://registry.test/v2/two/manifests/v1 Bearer t0"}));
}

TEST(Login, EveryCandidateIsTriedInOrderUntilOneWorks) {
  for (const bool bearer : {false, true}) {
    Harness harness(bearer ? bearer_registry(false) : Answers(basic_registry), {},
                    logins({"alice:wrong", "alice:s3cret", "bob:never"}));
    const auto result = harness.resolve(kImage);
    ASSERT_TRUE(result.has_value()) << result.error().message;
    const Log log = harness.log();
    const std::string asked = bearer ? "GET " + kTokenUrl : "HEAD " + kUrl;
    EXPECT_EQ(log[1], asked + " " + kAliceWrong);
    EXPECT_EQ(log[2], asked + " " + kAlice);
    EXPECT_EQ(
        std::ranges::count_if(log, [](const auto& line) { return line.ends_with("bmV2ZXI="); }), 0);
  }
}

TEST(Login, TheOneThatWorkedComesFirstNextTime) {
  Harness harness(basic_registry, {}, logins({"alice:wrong", "alice:s3cret"}));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  ASSERT_TRUE(harness.resolve("registry.test/other:v1").has_value());
  EXPECT_EQ(harness.log().size(), 4U);
  EXPECT_TRUE(harness.log().back().ends_with(kAlice));
}

TEST(Login, WhenAllAreRefusedTheErrorCountsAndNamesThem) {
  for (const bool bearer : {false, true}) {
    Harness harness(bearer ? bearer_registry(true) : Answers(basic_registry), {},
                    logins({"alice:wrong", "bob:canary"}));
    const auto result = harness.resolve(kImage);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kUnauthenticated);
    const std::string& message = result.error().message;
    EXPECT_TRUE(message.starts_with(kImage +
                                    ": registry.test refused all 2 logins: user alice from "
                                    "config.json: "))
        << message;
    EXPECT_NE(message.find("; user bob from config.json: "), std::string::npos) << message;
    EXPECT_TRUE(message.ends_with("; log in there")) << message;
    EXPECT_EQ(message.find("canary"), std::string::npos);
    EXPECT_EQ(harness.log().size(), 3U);
  }
}

TEST(Login, AnonymousAfterRefusalIsByOptionAndLogged) {
  Harness harness(bearer_registry(true), {.anonymous_after_refusal = true},
                  logins({"alice:wrong"}));
  const auto result = harness.resolve(kImage);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->credential_source, "anonymous");
  EXPECT_EQ(harness.log().size(), 4U);
  EXPECT_TRUE(harness.logger.holds("all logins were refused"));
}

TEST(Login, WithoutCredentialsTheErrorSaysSo) {
  Harness harness(basic_registry);
  const auto result = harness.resolve("127.0.0.1:5000/app:v1");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kUnauthenticated);
  EXPECT_EQ(result.error().message,
            "127.0.0.1:5000/app:v1: 127.0.0.1:5000 wants a login and there are no credentials: a "
            "user and password are wanted; log in there");
  EXPECT_EQ(harness.log().size(), 1U);
  const auto hub = harness.resolve("app:v1");
  ASSERT_FALSE(hub.has_value());
  EXPECT_TRUE(hub.error().message.contains(
      "registry-1.docker.io wants a login and there are no credentials for docker.io: "))
      << hub.error().message;
  EXPECT_TRUE(hub.error().message.ends_with("; log in to docker.io")) << hub.error().message;
}

TEST(Login, AKeychainThatNeverAnswersHoldsNobodyBeyondTheDeadline) {
  struct Silent final : credentials::Keychain {
    void find(const image::ImageReference&, std::stop_token, Callback done) override {
      kept = std::move(done);
    }
    Callback kept;
  };
  const auto silent = std::make_shared<Silent>();
  {
    Harness harness(basic_registry, {}, silent);
    const auto result = harness.resolve(kImage, {.timeout = std::chrono::seconds(5)});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kTimedOut);
    EXPECT_NE(result.error().message.find("no answer in time from where its login is kept; try the "
                                          "credential helper by hand, or allow more time"),
              std::string::npos)
        << result.error().message;
  }
  silent->kept({});  // too late, and harmless
}

TEST(Login, ATokenServiceThatNeverAnswersIsNamed) {
  Harness harness([](const Asked& asked) -> std::optional<Result<http::Response>> {
    if (asked.goes_to("https://registry.test/token")) return std::nullopt;
    return challenge("Bearer realm=\"/token\"");
  });
  const auto result = harness.resolve("registry.test/app:v1", {.timeout = std::chrono::seconds(5)});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kTimedOut);
  EXPECT_NE(result.error().message.find("from the token service https://registry.test/token; "),
            std::string::npos)
      << result.error().message;
}

// The lookup may hold the last reference to its keychain, which could not end its own thread.
TEST(Login, AKeychainIsNotLetGoOnItsOwnThread) {
  struct Threaded final : credentials::Keychain {
    Threaded(std::latch& the_answer, std::thread::id& the_end)
        : answered(the_answer), end(the_end) {}
    ~Threaded() override { end = std::this_thread::get_id(); }
    void find(const image::ImageReference&, std::stop_token, Callback done) override {
      thread = std::jthread([this, done = std::move(done)]() mutable {
        done({});
        answered.count_down();
      });
    }
    std::latch& answered;
    std::thread::id& end;
    std::jthread thread;
  };
  std::latch answered(1);
  std::thread::id end;
  Harness harness(basic_registry);
  harness.start(kImage, {.keychain = std::make_shared<Threaded>(answered, end)});
  harness.answer_next();
  answered.wait();
  EXPECT_EQ(harness.finish_all().back().error().code, ErrorCode::kUnauthenticated);
  EXPECT_EQ(end, std::this_thread::get_id());
}

TEST(Login, ProblemsOfTheKeychainAreToldWhenNothingElseHelps) {
  struct Troubled final : credentials::Keychain {
    explicit Troubled(ErrorCode the_code) : code(the_code) {}
    void find(const image::ImageReference&, std::stop_token, Callback done) override {
      ++asked;
      done({.candidates = {}, .problems = {{.code = code, .message = "the helper is broken"}}});
    }
    const ErrorCode code;
    int asked = 0;
  };
  Harness broken(basic_registry, {}, std::make_shared<Troubled>(ErrorCode::kInvalid));
  const auto final_error = broken.resolve(kImage);
  EXPECT_EQ(final_error.error().code, ErrorCode::kUnauthenticated);
  EXPECT_NE(final_error.error().message.find("the helper is broken"), std::string::npos);

  const auto troubled = std::make_shared<Troubled>(ErrorCode::kUnavailable);
  Harness busy(basic_registry, {.attempts_max = 3}, troubled);
  EXPECT_EQ(busy.resolve(kImage).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(troubled->asked, 3);
}

TEST(Login, UnusableChallengesNameWhatWasOffered) {
  const std::pair<std::string, std::string_view> table[] = {
      {"Negotiate", "offered: negotiate"},
      {R"(Bearer service="reg")", "offered: bearer without realm"},
      {"", "offered: none"},
  };
  for (const auto& [header, says] : table) {
    Harness harness([&](const Asked&) { return challenge(header); }, {}, logins({"alice:s3cret"}));
    const auto result = harness.resolve(kImage);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kUnauthenticated);
    EXPECT_NE(result.error().message.find(says), std::string::npos) << result.error().message;
    EXPECT_EQ(harness.log().size(), 1U);
  }
}

TEST(Login, ARegistryThatNeverGivesInIsNotAskedForEver) {
  for (const std::string& header : {kBearer, std::string("Basic realm=x")}) {
    Harness harness(
        [&](const Asked& asked) {
          return asked.goes_to(kToken) ? token_answer("t") : challenge(header);
        },
        {}, logins({"alice:s3cret"}));
    const auto result = harness.resolve(kImage);
    EXPECT_EQ(result.error().code, ErrorCode::kUnauthenticated);
    EXPECT_LE(harness.log().size(), 3U);
  }
  int n = 0;
  Harness changing([&](const Asked& asked) {
    if (asked.goes_to(kToken)) return token_answer("t");
    return challenge(R"(Bearer realm="https://registry.test/token",service=")" +
                     std::to_string(n++) + "\"");
  });
  EXPECT_EQ(changing.resolve(kImage).error().code, ErrorCode::kUnauthenticated);
  EXPECT_LE(changing.log().size(), 10U);
}

TEST(Login, NotFoundAndBrokenServersDoNotMoveToTheNextLogin) {
  for (const int code : {404, 503}) {
    Harness harness(
        [&](const Asked& asked) {
          return asked.authorization.empty() ? challenge("Basic realm=x") : status(code);
        },
        {.attempts_max = 1}, logins({"alice:s3cret", "bob:never"}));
    EXPECT_FALSE(harness.resolve(kImage).has_value());
    for (const std::string& line : harness.log()) EXPECT_FALSE(line.ends_with("bmV2ZXI=")) << line;
  }
}

TEST(Login, ForbiddenMovesToTheNextLogin) {
  Harness harness(
      [&](const Asked& asked) {
        if (asked.authorization.empty()) return challenge("Basic realm=x");
        return asked.authorization == kAlice ? head_answer() : status(403);
      },
      {}, logins({"alice:wrong", "alice:s3cret"}));
  EXPECT_TRUE(harness.resolve(kImage).has_value());
}

TEST(Login, NoLoginGoesToAStrangersTokenService) {
  const std::string strange = R"(Bearer realm="https://evil.example/token",service="reg")";
  Harness harness([&](const Asked&) { return challenge(strange); }, {}, logins({"alice:s3cret"}));
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(result.error().message.ends_with("--trust-realm evil.example"))
      << result.error().message;
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kUrl}));

  Harness anonymous([&](const Asked& asked) {
    if (asked.goes_to("https://evil.example/")) return token_answer("t");
    return asked.authorization == "Bearer t" ? head_answer() : challenge(strange);
  });
  EXPECT_TRUE(anonymous.resolve(kImage).has_value());
}

TEST(Login, TokenServiceOverPlainHttpIsNotAsked) {
  Harness harness([&](const Asked&) {
    return challenge(R"(Bearer realm="http://registry.test/token",service="reg")");
  });
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_NE(result.error().message.find("--plain-http registry.test"), std::string::npos)
      << result.error().message;
  EXPECT_EQ(harness.log().size(), 1U);
}

TEST(Login, RelativeRealmIsTheRegistrysOwn) {
  Harness harness(bearer_registry(true, R"(Bearer realm="/token",service="reg")"));
  EXPECT_TRUE(harness.resolve(kImage).has_value());
}

TEST(Login, TokenServiceErrorsAreNamedAndTransientOnesTriedAgain) {
  struct Row {
    int status;
    ErrorCode code;
    std::size_t requests;
  };
  const Row table[] = {{403, ErrorCode::kForbidden, 2},
                       {401, ErrorCode::kUnauthenticated, 2},
                       {404, ErrorCode::kInvalid, 2}};
  for (const Row& row : table) {
    Harness harness([&](const Asked& asked) {
      return asked.goes_to(kToken) ? status(row.status) : challenge(kBearer);
    });
    const auto result = harness.resolve(kImage);
    EXPECT_EQ(result.error().code, row.code);
    EXPECT_NE(result.error().message.find("token service https://registry.test/token"),
              std::string::npos)
        << result.error().message;
    EXPECT_EQ(harness.log().size(), row.requests);
  }
  for (const int code : {500, 429, 503}) {
    Harness harness([&](const Asked& asked) {
      if (asked.goes_to(kToken)) return asked.count == 0 ? status(code) : token_answer("t");
      return asked.authorization.empty() ? challenge(kBearer) : head_answer();
    });
    EXPECT_TRUE(harness.resolve(kImage).has_value()) << code;
  }
}

TEST(Login, ATokenServiceThatAnswersJunkIsNotAMatterOfLogins) {
  const http::Response answers[] = {status(200, {}, "<html>"), status(200, {}, "{}"),
                                    status(404, {}, "<html>")};
  for (const auto& keychain : {logins({}), logins({"alice:s3cret"})}) {
    for (const http::Response& answer : answers) {
      Harness harness(
          [&](const Asked& asked) { return asked.goes_to(kToken) ? answer : challenge(kBearer); },
          {}, keychain);
      const auto result = harness.resolve(kImage);
      ASSERT_FALSE(result.has_value());
      const std::string& message = result.error().message;
      EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
      EXPECT_TRUE(message.contains("no login can be made at registry.test: ")) << message;
      EXPECT_TRUE(message.contains("; check that ") || message.contains("; check the ")) << message;
      EXPECT_FALSE(message.contains("no credentials") || message.contains("log in")) << message;
    }
  }
}

TEST(Login, OneExchangeThatFailsFailsAllThatWaitedAndEachTriesAgain) {
  Harness harness([&](const Asked& asked) {
    if (asked.goes_to(kToken)) return asked.count == 0 ? status(500) : token_answer("t");
    return asked.authorization.empty() ? challenge(kBearer) : head_answer();
  });
  for (int i = 0; i < 10; ++i) harness.start("registry.test/team/app:v" + std::to_string(i));
  for (const auto& result : harness.finish_all()) EXPECT_TRUE(result.has_value());
}

TEST(Login, IdentityTokensArePostedAndNeverSentToTheRegistry) {
  Harness harness(
      [&](const Asked& asked) {
        if (asked.goes_to(kToken)) {
          EXPECT_EQ(asked.request.method, http::Method::kPost);
          EXPECT_NE(asked.request.body.find("refresh_token=refresh-1"), std::string::npos);
          return token_answer("t");
        }
        return asked.authorization.empty() ? challenge(kBearer) : head_answer();
      },
      {}, login(Credential::identity_token("", Secret("refresh-1"), "config.json")));
  const auto result = harness.resolve(kImage);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->credential_source, "identity token from config.json");
  for (const std::string& line : harness.log())
    EXPECT_EQ(line.find("refresh-1"), std::string::npos);
}

TEST(Login, RegistryTokensAreSentAsTheyAre) {
  Harness harness(
      [&](const Asked& asked) {
        return asked.authorization == "Bearer abc" ? head_answer() : challenge(kBearer);
      },
      {}, login(Credential::registry_token(Secret("abc"), "config.json")));
  EXPECT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log().size(), 2U);
}

TEST(Login, WhatOneRepositoryNeedsDoesNotHinderAnother) {
  // team/app is behind a token service that refuses; open/app needs nothing.
  Harness harness([&](const Asked& asked) {
    if (asked.goes_to(kToken)) return asked.count == 0 ? token_answer("t0") : status(401);
    if (asked.goes_to("https://registry.test/v2/open/")) return head_answer();
    return asked.authorization.empty() ? challenge(kBearer) : head_answer();
  });
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  harness.clock.advance(std::chrono::hours(1));
  const auto result = harness.resolve("registry.test/open/app:v1");
  ASSERT_TRUE(result.has_value()) << result.error().message;
}

}  // namespace
}  // namespace windlass::registry

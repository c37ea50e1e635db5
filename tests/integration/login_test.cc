// Logins against the fake registry: who gets which, and what comes of it.
#include <gtest/gtest.h>

#include <algorithm>

#include "registries.h"
#include "stack.h"
#include "windlass/credentials/base64.h"

namespace windlass::integration {
namespace {

using test_support::FakeRegistry;
using test_support::Logged;

struct Row {
  std::string behaviours;
  std::string_view outcome;  // "D", or the start of the error
  std::string_view says = "";
  int manifests_max = 99;  // manifest requests
  int tokens_max = 99;
};

class Logins : public testing::Test {
 protected:
  Result<registry::Resolution> resolve(const std::string& behaviours, const std::string& config,
                                       registry::RegistryOptions options = quick()) {
    registry_.clear_log();
    Stack stack({.docker_config = config, .registry = std::move(options)});
    auto result = stack.resolve(registry_.image(behaviours));
    log_ = registry_.log();
    for (const std::string& line : stack.logger().lines()) output_ += line + "\n";
    if (!result) output_ += result.error().message + "\n";
    return result;
  }

  void check(const Row& row, const std::string& config) {
    SCOPED_TRACE(row.behaviours);
    const auto result = resolve(row.behaviours, config);
    const std::string outcome = shown(result, registry_.digest(row.behaviours));
    EXPECT_TRUE(outcome.starts_with(row.outcome)) << outcome;
    EXPECT_NE(outcome.find(row.says), std::string::npos) << outcome;
    const auto tokens = std::count_if(log_.begin(), log_.end(),
                                      [](const Logged& r) { return r.is_token_request(); });
    EXPECT_LE(tokens, row.tokens_max);
    EXPECT_LE(std::ssize(log_) - tokens, row.manifests_max);
    for (const Logged& request : log_) EXPECT_EQ(request.header("x-injected"), "");
  }

  std::string login(const std::string& user_and_password) const {
    return login_file(registry_.host(), user_and_password);
  }

  FakeRegistry registry_;
  std::vector<Logged> log_;
  std::string output_;  // all that a user could have seen
};

TEST_F(Logins, EveryWayToAskForATokenIsUnderstood) {
  for (const char* challenge :
       {"spaces", "lower", "unquoted", "escaped", "empty", "error", "comma", "query", "multi",
        "multi-one", "trailing", "noservice", "noscope", "scope-other", "relative", "other"}) {
    check({"auth-bearer/chal-" + std::string(challenge), "D", "", 2, 1}, login("alice:s3cret"));
    for (const Logged& request : log_) {
      if (!request.is_token_request()) continue;
      EXPECT_EQ(request.header("authorization"), "Basic YWxpY2U6czNjcmV0");
      EXPECT_EQ(request.query.find("push"), std::string::npos);
    }
  }
}

TEST_F(Logins, UnusableChallengesAreNamedAndNothingLoops) {
  for (const Row& row : std::initializer_list<Row>{
           {"auth-bearer/chal-negotiate", "D", "", 2, 0},
           {"auth-bearer/chal-none", "unauthenticated", "offered: none", 1},
           {"auth-bearer/chal-unknown", "unauthenticated", "offered: magic", 1},
           {"auth-bearer/chal-norealm", "unauthenticated", "bearer without realm", 1},
           {"auth-basic/chal-basic-junk", "D", "", 2},
           {"auth-401-forever", "unauthenticated", "refused the login", 2, 1},
           {"auth-basic-forever", "unauthenticated", "refused the login", 2, 0},
       })
    check(row, login("alice:s3cret"));
}

TEST_F(Logins, TokenAnswersOfEveryKind) {
  for (const Row& row : std::initializer_list<Row>{
           {"auth-bearer/tok-access", "D"},
           {"auth-bearer/tok-both", "D"},
           {"auth-bearer/tok-empty-token", "D"},
           {"auth-bearer/tok-none", "invalid", "no token in the answer of http://127.0.0.1"},
           {"auth-bearer/tok-html", "invalid", "no token in the answer"},
           {"auth-bearer/tok-crlf", "invalid", "cannot be sent"},
           {"auth-bearer/tok-huge", "invalid", ""},
           {"auth-bearer/tok-403", "forbidden", "token service http://127.0.0.1", 1, 1},
           {"auth-bearer/tok-401", "unauthenticated", "incorrect username", 1, 1},
           {"auth-bearer/tok-500-times.1", "D", "", 3, 2},
           {"auth-bearer/tok-429.1", "D", "", 3, 2},
           {"auth-bearer/tok-wrong-scope", "unauthenticated", "refused the login", 2, 1},
           {"auth-bearer/tok-post-only", "invalid", "405", 1, 1},
       })
    check(row, login("alice:s3cret"));
  check({"auth-bearer-anon/tok-401-anon", "unauthenticated", "credentials: token service", 1, 1},
        "{}");
}

TEST_F(Logins, PasswordsArriveWhole) {
  for (const char* text : {"alice:s3cret", "robot$ci:p:a:ss", "bob:"}) {
    for (const char* kind : {"auth-basic", "auth-bearer"}) {
      EXPECT_EQ(shown(resolve(kind, login(text)), registry_.digest(kind)), "D") << text;
      const std::string header = "Basic " + credentials::base64_encode(text);
      EXPECT_EQ(std::count_if(log_.begin(), log_.end(),
                              [&](const Logged& r) { return r.header("authorization") == header; }),
                1);
    }
  }
}

TEST_F(Logins, KeysOfEveryFormAreFound) {
  const std::string host = registry_.host();
  for (const std::string& key : {host, "http://" + host, "https://" + host + "/",
                                 "https://" + host + "/v2/", "http://" + host + "/v1/"}) {
    const auto result = resolve("auth-basic", login_file(key, "alice:s3cret"));
    EXPECT_EQ(shown(result, registry_.digest("auth-basic")), "D") << key;
  }
  for (const std::string& key : {std::string("127.0.0.1"), host + "0", "x" + host}) {
    EXPECT_FALSE(resolve("auth-basic", login_file(key, "alice:s3cret")).has_value()) << key;
    for (const Logged& request : log_) EXPECT_EQ(request.header("authorization"), "");
  }
}

TEST_F(Logins, OpenRepositoriesAreNeverGivenALogin) {
  for (const char* name : {"plain", "auth-public", "head-405"}) {
    EXPECT_TRUE(resolve(name, login("alice:wrong")).has_value());
    for (const Logged& request : log_) EXPECT_EQ(request.header("authorization"), "") << name;
  }
}

TEST_F(Logins, WhatIsHiddenIsOpenedByTheLoginThatTheRegistryAsksForWhenAsked) {
  for (const char* ping : {"401-basic", "401-bearer"}) {
    const FakeRegistry registry({"--ping", ping});
    for (const char* name : {"hidden-403", "hidden-404"}) {
      Stack stack({.docker_config = login_file(registry.host(), "alice:s3cret")});
      const auto result = stack.resolve(registry.image(name));
      EXPECT_EQ(shown(result, registry.digest(name)), "D") << ping << " " << name;
      EXPECT_EQ(result->credential_source, "user alice from config.json");
      EXPECT_EQ(shown(stack.resolve(registry.image(name)), registry.digest(name)), "D");
      const std::vector<Logged> log = registry.log();
      EXPECT_EQ(std::ranges::count(log, "/v2/", &Logged::path), 1) << ping << " " << name;
      registry.clear_log();
    }
  }
}

TEST_F(Logins, WhatTheBaseAddressAnswersDoesNotDecide) {
  for (const char* ping : {"404", "200", "401-basic", "401-bearer", "html", "slow"}) {
    const FakeRegistry registry({"--ping", ping});
    Stack stack({.docker_config = login_file(registry.host(), "alice:s3cret")});
    EXPECT_EQ(shown(stack.resolve(registry.image("plain")), registry.digest("plain")), "D") << ping;
    for (const Logged& request : registry.log()) EXPECT_EQ(request.header("authorization"), "");
    const std::string name = "auth-bearer";
    EXPECT_EQ(shown(stack.resolve(registry.image(name)), registry.digest(name)), "D") << ping;
    const std::vector<Logged> log = registry.log();
    EXPECT_EQ(std::ranges::count(log, "/v2/", &Logged::path), 0) << ping;
  }
}

TEST_F(Logins, NoLoginIsSentUnaskedWithoutTls) {
  for (const char* ping : {"404", "200", "html"}) {
    const FakeRegistry registry({"--ping", ping});
    Stack stack({.docker_config = login_file(registry.host(), "alice:s3cret")});
    const auto result = stack.resolve(registry.image("hidden-403"));
    EXPECT_TRUE(shown(result, "").starts_with("forbidden: ")) << shown(result, "");
    EXPECT_TRUE(shown(result, "").contains("user alice from config.json was not sent"))
        << shown(result, "");
    for (const Logged& request : registry.log()) EXPECT_EQ(request.header("authorization"), "");
  }
}

TEST_F(Logins, AStaleLoginIsReportedAndOvercomeByOption) {
  const auto refused = resolve("auth-bearer-anon", login("alice:wrong"));
  EXPECT_TRUE(shown(refused, "").starts_with("unauthenticated: ")) << shown(refused, "");
  EXPECT_NE(shown(refused, "").find("user alice from config.json"), std::string::npos);

  registry::RegistryOptions options = quick();
  options.anonymous_after_refusal = true;
  const auto result = resolve("auth-bearer-anon", login("alice:wrong"), options);
  EXPECT_EQ(shown(result, registry_.digest("auth-bearer-anon")), "D");
  EXPECT_NE(output_.find("all logins were refused"), std::string::npos);
}

TEST_F(Logins, SeveralLoginsAreTriedInOrder) {
  const std::string config = R"({"auths":{")" + registry_.host() +
                             R"(/b":{"username":"alice","password":"wrong"},")" + registry_.host() +
                             R"(":{"username":"alice","password":"s3cret"}}})";
  for (const char* kind : {"auth-basic", "auth-bearer"})
    EXPECT_EQ(shown(resolve(kind, config), registry_.digest(kind)), "D") << kind;
}

TEST_F(Logins, IdentityTokensArePostedOnly) {
  const std::string config = R"({"auths":{")" + registry_.host() +
                             R"(":{"auth":"MDAwMDAwMDA6","identitytoken":"refresh-1"}}})";
  const std::string name = "auth-bearer/tok-post-only";
  EXPECT_EQ(shown(resolve(name, config), registry_.digest(name)), "D");
  EXPECT_TRUE(
      shown(resolve("auth-bearer/tok-get-only", config), "").starts_with("unauthenticated"));
  for (const Logged& request : log_) {
    EXPECT_EQ(request.query.find("refresh-1"), std::string::npos);
    EXPECT_FALSE(request.header("authorization").starts_with("Basic"));
    EXPECT_EQ(request.is_token_request(), request.method == "POST");
  }
}

TEST_F(Logins, LoginsNeverReachAnotherOrigin) {
  for (const char* name : {"auth-basic/redirect-other", "auth-basic/redirect-other.301",
                           "auth-bearer/redirect-other", "auth-basic/redirect-same",
                           "auth-basic/redirect-chain.3", "auth-basic/head-405/redirect-other"}) {
    EXPECT_EQ(shown(resolve(name, login("alice:s3cret")), registry_.digest(name)), "D") << name;
    for (const Logged& request : log_) {
      if (request.listener != "other") continue;
      EXPECT_EQ(request.header("authorization"), "") << name;
    }
  }
}

TEST_F(Logins, AStrangersTokenServiceGetsNoLogin) {
  const auto result = resolve("auth-bearer/chal-stranger", login("alice:s3cret"));
  EXPECT_TRUE(shown(result, "").starts_with("invalid: ")) << shown(result, "");
  for (const Logged& request : log_) EXPECT_FALSE(request.is_token_request());

  registry::RegistryOptions options = quick();
  options.trusted_realms = {"localhost"};
  const auto trusted = resolve("auth-bearer/chal-stranger", login("alice:s3cret"), options);
  EXPECT_EQ(shown(trusted, registry_.digest("auth-bearer/chal-stranger")), "D");
}

TEST_F(Logins, NoSecretIsEverShown) {
  const std::string config =
      R"({"auths":{")" + registry_.host() + R"(":{"username":"alice","password":"canary-7f3"}}})";
  for (const char* name :
       {"auth-basic", "auth-bearer", "auth-bearer-anon", "auth-basic-forever", "auth-401-forever",
        "auth-bearer/tok-none", "auth-bearer/tok-crlf", "auth-403", "auth-bearer/chal-norealm",
        "auth-basic/redirect-other", "auth-basic/503-times.99", "hidden-403", "hidden-404"})
    resolve(name, config);
  EXPECT_NE(output_, "");
  for (const std::string& secret :
       {std::string("canary-7f3"), credentials::base64_encode("alice:canary-7f3")})
    EXPECT_EQ(output_.find(secret), std::string::npos);
}

}  // namespace
}  // namespace windlass::integration

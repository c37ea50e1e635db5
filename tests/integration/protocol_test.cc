// What registries do to a question for a digest, and what must come of it. Each row is one public
// complaint about some tool: a behaviour of the fake registry, the answer, and the requests it
// takes.
#include <gtest/gtest.h>

#include "registries.h"
#include "stack.h"

namespace windlass::integration {
namespace {

using test_support::FakeRegistry;
using test_support::Logged;

struct Row {
  std::string behaviours;
  std::string_view outcome;   // "D", or the start of the error: "not-found"
  std::string_view requests;  // "HEAD GET"; "" where it does not matter
  std::string_view says = "";
};

std::string methods(const std::vector<Logged>& log) {
  std::string out;
  for (const Logged& request : log) out += (out.empty() ? "" : " ") + request.method;
  return out;
}

class Protocol : public testing::Test {
 protected:
  void check(const Row& row, Wiring wiring = {}) {
    SCOPED_TRACE(row.behaviours);
    registry_.clear_log();
    Stack stack(std::move(wiring));
    const auto result = stack.resolve(registry_.image(row.behaviours));
    const std::string outcome = shown(result, registry_.digest(row.behaviours));
    EXPECT_TRUE(outcome.starts_with(row.outcome)) << outcome;
    EXPECT_NE(outcome.find(row.says), std::string::npos) << outcome;
    EXPECT_EQ(outcome.find('\x1b'), std::string::npos);
    EXPECT_EQ(outcome.find('\n'), std::string::npos) << outcome;
    if (row.requests.empty()) return;
    EXPECT_EQ(methods(registry_.log()), row.requests);
  }

  FakeRegistry registry_;
};

TEST_F(Protocol, DigestsAreFoundWhateverTheHeadersLack) {
  for (const Row& row : std::initializer_list<Row>{
           {"plain", "D", "HEAD"},
           {"kind.index", "D", "HEAD"},
           {"kind.list", "D", "HEAD"},
           {"kind.docker", "D", "HEAD"},
           {"head-no-digest", "D", "HEAD GET"},
           {"no-digest-header", "D", "HEAD GET"},
           {"etag-only", "D", "HEAD GET"},
           {"head-no-digest/kind.index", "D", "HEAD GET"},
           {"etag-only/kind.index", "D", "HEAD GET"},
           {"head-no-length", "D", "HEAD"},
           {"head-400", "D", "HEAD GET"},
           {"head-403", "D", "HEAD GET"},
           {"head-404", "D", "HEAD GET"},
           {"head-405", "D", "HEAD GET"},
           {"head-501", "D", "HEAD GET"},
           {"head-close", "D", ""},
           {"head-405/wrong-digest", "D", "HEAD GET"},
       })
    check(row);
}

TEST_F(Protocol, EveryKindIsAccepted) {
  for (const char* strict : {"accept-strict", "accept-406", "accept-convert"}) {
    for (const char* kind : {"manifest", "docker", "index", "list"}) {
      const std::string name = std::string(strict) + "/kind." + kind;
      check({name, "D", "HEAD"});
      check({"head-405/" + name, "D", "HEAD GET"});
    }
  }
  for (const Logged& request : registry_.log()) {
    EXPECT_NE(request.header("accept").find("oci.image.index.v1+json"), std::string::npos);
    EXPECT_EQ(request.header("accept-encoding"), "identity");
    EXPECT_TRUE(request.header("user-agent").starts_with("windlass/"));
  }
}

TEST_F(Protocol, SchemaOneIsRefused) {
  check({"kind.schema1", "invalid", "HEAD", "schema 1"});
  check({"head-405/kind.schema1", "invalid", "HEAD GET", "schema 1"});
}

TEST_F(Protocol, BodiesAreHashedAsStored) {
  for (const Row& row : std::initializer_list<Row>{
           {"head-405/gzip", "invalid", "HEAD GET", "encoded (gzip)"},
           {"head-405/x-gzip", "invalid", "HEAD GET", "encoded (x-gzip)"},
           {"head-405/deflate", "invalid", "HEAD GET", "encoded (deflate)"},
           {"head-405/gzip-lie", "invalid", "HEAD GET", "encoded (gzip)"},
           {"head-405/gzip-asked", "D", "HEAD GET"},
           {"head-405/chunked", "D", "HEAD GET"},
           {"head-405/http10", "D", "HEAD GET"},
           {"head-405/no-length", "D", "HEAD GET"},
           {"head-405/lf-only", "D", "HEAD GET"},
           {"head-405/early-hints", "D", "HEAD GET"},
           {"head-405/conn-close", "D", "HEAD GET"},
           {"head-405/oversize", "invalid", "HEAD GET", "longer than 4194304 bytes"},
           {"head-405/gzip-bomb", "invalid", "HEAD GET", "encoded (gzip)"},
       })
    check(row);
}

TEST_F(Protocol, HeadersCannotFloodNorForge) {
  for (const Row& row : std::initializer_list<Row>{
           {"header-flood", "invalid", "HEAD", "its header has more than 65536 bytes"},
           {"header-long", "invalid", "HEAD", "answer is refused"},
           {"header-split/head-no-digest", "D", ""},
           {"header-split/kind.index", "D", ""},
           {"digest-twice", "D", "HEAD GET"},
       })
    check(row);
}

TEST_F(Protocol, OnePlatformIsTakenFromAnIndex) {
  const std::string types[] = {"", "/ctype-json", "/no-ctype", "/no-mediatype/no-ctype"};
  for (const std::string kind : {"kind.index", "kind.list", "head-child-digest/kind.index"}) {
    for (const std::string& type : types) {
      for (const std::string platform : {"linux/amd64", "linux/arm64/v8", "linux/arm/v7"}) {
        SCOPED_TRACE(kind + type + " " + platform);
        Stack stack;
        const auto result = stack.resolve(registry_.image(kind + type),
                                          {.platform = *oci::Platform::parse(platform)});
        EXPECT_EQ(shown(result, registry_.digest(kind + type, platform)), "D");
      }
    }
  }
  Stack stack;
  const auto missing = stack.resolve(registry_.image("kind.index"),
                                     {.platform = *oci::Platform::parse("windows/amd64")});
  EXPECT_NE(shown(missing, "").find("it is there for linux/amd64, linux/arm64, linux/arm/v7;"),
            std::string::npos)
      << shown(missing, "");
}

TEST_F(Protocol, AHeadThatLiesIsFoundOutByVerifying) {
  const std::string lying = "head-child-digest/kind.index";
  Stack stack;
  EXPECT_NE(shown(stack.resolve(registry_.image(lying)), registry_.digest(lying)), "D");
  EXPECT_EQ(shown(stack.resolve(registry_.image(lying), {.verify = true}), registry_.digest(lying)),
            "D");
}

TEST_F(Protocol, TheRegistrysLimitsAreRead) {
  Stack stack;
  const auto result = stack.resolve(registry_.image("rate-limit.7"));
  ASSERT_TRUE(result.has_value() && result->rate_limit.has_value());
  EXPECT_EQ(result->rate_limit->limit, 100);
  EXPECT_EQ(result->rate_limit->remaining, 7);
  EXPECT_TRUE(stack.logger().holds("remaining"));
}

TEST_F(Protocol, TheContentTypeDoesNotChangeTheDigest) {
  for (const char* head : {"", "head-405/"}) {
    for (const char* type :
         {"ctype-charset", "ctype-upper", "ctype-json", "ctype-octet", "no-ctype", "wrong-ctype"}) {
      for (const char* rest : {"", "/kind.index", "/kind.index/no-mediatype"})
        check({std::string(head) + type + rest, "D", ""});
    }
  }
}

TEST_F(Protocol, WhatIsNoManifestNeverHasADigest) {
  for (const Row& row : std::initializer_list<Row>{
           {"head-405/html-200", "invalid", "HEAD GET", "not a manifest (text/html)"},
           {"head-405/empty-body", "invalid", "HEAD GET", "not a manifest"},
           {"head-405/json-garbage", "invalid", "HEAD GET", "not a manifest"},
           {"head-405/json-array", "invalid", "HEAD GET", "not a manifest"},
           {"head-405/json-bom", "invalid", "HEAD GET", "not a manifest"},
       })
    check(row);
}

TEST_F(Protocol, RefusalsAreFinalAndInTheRegistrysWords) {
  for (const Row& row : std::initializer_list<Row>{
           {"err-name", "not-found", "HEAD GET", "NAME_UNKNOWN: no such repository"},
           {"err-404-text", "not-found", "HEAD GET", "page not found"},
           {"err-404-html", "not-found", "HEAD GET", "a web page"},
           {"err-404-empty", "not-found", "HEAD GET", "answered 404;"},
           {"err-403-html", "forbidden", "HEAD GET", "a web page"},
           {"err-418", "forbidden", "HEAD", "answered 418"},
           {"err-ctl", "not-found", "HEAD GET", "\\x1b[31mERROR forged\\rline"},
           {"auth-403", "forbidden", "HEAD GET", "requested access is denied"},
       })
    check(row);
  Stack stack;
  const auto missing = stack.resolve(registry_.image("plain", "missing-1"));
  EXPECT_TRUE(shown(missing, "").starts_with("not-found: ")) << shown(missing, "");
}

TEST_F(Protocol, TroubleThatPassesIsWaitedOut) {
  for (const Row& row : std::initializer_list<Row>{
           {"503-times.2", "D", "HEAD HEAD HEAD"},
           {"502-html.1", "D", "HEAD HEAD"},
           {"504-times.1", "D", "HEAD HEAD"},
           {"500-times.1", "D", "HEAD HEAD"},
           {"close-times.1", "D", ""},
           {"reset-times.1", "D", ""},
           {"truncated-times.1/head-405", "D", "HEAD GET HEAD GET"},
           {"429.1", "D", "HEAD HEAD"},
       })
    check(row);
}

TEST_F(Protocol, TroubleThatStaysEndsTheLookup) {
  for (const Row& row : std::initializer_list<Row>{
           {"503-times.99", "unavailable", "HEAD HEAD HEAD HEAD HEAD HEAD", "tried 6 times"},
           {"429.99", "throttled", "HEAD HEAD HEAD HEAD HEAD HEAD",
            "answered 429: too many requests (tried 6 times)"},
           {"429-hub", "throttled", "", "answered 429: too many requests (tried 6 times)"},
           {"429.99/retry-after.86400", "throttled", "HEAD", "try again in"},
           {"truncated/head-405", "unavailable", "", "broke off"},
           {"chunked-cut/head-405", "unavailable", "", "tried 6 times"},
       })
    check(row);
}

TEST_F(Protocol, RetryAfterIsKeptTo) {
  for (const std::string name : {"429.1/retry-after.1", "429-date"}) {
    check({name, "D", "HEAD HEAD"});
    const std::vector<Logged> log = registry_.log();
    EXPECT_GE(log.at(1).time - log.at(0).time, name == "429-date" ? 1.0 : 0.99) << name;
  }
}

TEST_F(Protocol, SilenceEndsWithTheDeadline) {
  const std::string login = login_file(registry_.host(), "alice:s3cret");
  for (const std::string name :
       {"hang", "head-hang", "slow-headers.30", "stall-body/head-405", "slow-drip.500/head-405",
        "oversize-lie/head-405", "auth-bearer/tok-slow.30"}) {
    SCOPED_TRACE(name);
    Stack stack({.docker_config = login});
    const TimePoint before = system_clock().now();
    const auto result = stack.resolve(registry_.image(name), std::chrono::milliseconds(300));
    EXPECT_TRUE(shown(result, "").starts_with("timed-out: ")) << shown(result, "");
    EXPECT_EQ(shown(result, "").contains("from the token service"), name.contains("tok-slow"))
        << shown(result, "");
    // Generous: what matters is that it does not wait for the server, which takes much longer.
    EXPECT_LT(system_clock().now() - before, std::chrono::seconds(20));
  }
}

TEST_F(Protocol, RedirectsAreFollowed) {
  for (const Row& row : std::initializer_list<Row>{
           {"redirect-same", "D", "HEAD HEAD"},
           {"redirect-rel", "D", "HEAD HEAD"},
           {"redirect-chain.3", "D", "HEAD HEAD HEAD HEAD HEAD"},
           {"redirect-loop", "invalid", "", "redirects more than 10 times"},
           {"redirect-other.301", "D", "HEAD HEAD"},
           {"redirect-other.302", "D", "HEAD HEAD"},
           {"redirect-other.303", "D", "HEAD HEAD"},
           {"redirect-other.307", "D", "HEAD HEAD"},
           {"redirect-other.308", "D", "HEAD HEAD"},
       })
    check(row);
}

TEST_F(Protocol, ADigestIsAnsweredWithoutAsking) {
  registry_.clear_log();
  Stack stack;
  const std::string digest = registry_.digest("plain");
  const auto result = stack.resolve(registry_.image("plain") + "@" + digest);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->digest.to_string(), digest);
  EXPECT_FALSE(result->asked);
  EXPECT_TRUE(registry_.log().empty());
}

}  // namespace
}  // namespace windlass::integration

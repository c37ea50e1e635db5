// Mirrors, insecure registries and other locations: who is asked in which order, and what it is
// given.
#include <gtest/gtest.h>

#include "harness.h"
#include "windlass/credentials/base64.h"
#include "windlass/registries_conf/load.h"

namespace windlass::registry {
namespace {

using std::chrono::seconds;

using Log = std::vector<std::string>;

RegistryOptions with(std::string_view conf, RegistryOptions options = {}) {
  registries_conf::Loaded loaded;
  registries_conf::read(conf, "r.conf", loaded);
  for (const Error& problem : loaded.problems) ADD_FAILURE() << problem.message;
  options.registries = std::move(loaded.registries);
  return options;
}

constexpr std::string_view kMirrored = R"(
[[registry]]
location = "registry.test"
[[registry.mirror]]
location = "one.test/m"
[[registry.mirror]]
location = "two.test"
)";
const std::string kOne = "https://one.test/v2/m/app/manifests/v1";
const std::string kTwo = "https://two.test/v2/app/manifests/v1";
const std::string kRegistry = "https://registry.test/v2/app/manifests/v1";
const std::string kImage = "registry.test/app:v1";

Error error(ErrorCode code, std::string message) {
  return {.code = code, .message = std::move(message)};
}

TEST(Source, TheFirstMirrorThatAnswersIsEnough) {
  Harness harness([](const Asked&) { return head_answer(); }, with(kMirrored));
  const auto result = harness.resolve(kImage);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kOne}));
  EXPECT_EQ(result->mirror, "one.test/m/app");
  EXPECT_EQ(result->pinned_name(), "registry.test/app@" + manifest_digest().to_string());
}

TEST(Source, WhateverAMirrorLacksTheRegistryIsAskedFor) {
  for (const int code : {401, 403, 404, 429, 500, 503}) {
    Harness harness(
        [&](const Asked& asked) {
          return asked.goes_to("https://registry.test/") ? head_answer() : status(code);
        },
        with(kMirrored));
    const auto result = harness.resolve(kImage);
    ASSERT_TRUE(result.has_value()) << code << result.error().message;
    EXPECT_EQ(result->mirror, "");
    EXPECT_EQ(harness.log().back(), "HEAD " + kRegistry);
    EXPECT_EQ(harness.log().front(), "HEAD " + kOne);
  }
}

TEST(Source, AMirrorOutOfReachIsPassedOverForAWhile) {
  Harness harness(
      [&](const Asked& asked) -> Result<http::Response> {
        if (asked.goes_to("https://one.test/"))
          return fail(error(ErrorCode::kUnavailable, "connect to one.test: refused"));
        return head_answer();
      },
      with(kMirrored));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kOne, "HEAD " + kTwo, "HEAD " + kTwo}));
  EXPECT_EQ(harness.logger.lines().size(), 1U);
  harness.clock.advance(seconds(31));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log().at(3), "HEAD " + kOne);
}

TEST(Source, ASlowMirrorDoesNotUseUpTheLookupsTime) {
  Harness* self = nullptr;
  Harness harness(
      [&](const Asked& asked) -> Result<http::Response> {
        if (asked.goes_to("https://registry.test/")) return head_answer();
        EXPECT_LE(asked.request.timeout, seconds(5));
        self->clock.advance(asked.request.timeout);
        return fail(error(ErrorCode::kTimedOut, "no answer"));
      },
      with(kMirrored));
  self = &harness;
  EXPECT_TRUE(harness.resolve(kImage, {.timeout = seconds(11)}).has_value());
}

TEST(Source, WhenNobodyAnswersTheRegistrysErrorCountsAndTheMirrorsAreTold) {
  Harness harness(
      [&](const Asked& asked) {
        return status(asked.goes_to("https://registry.test/") ? 404 : 403);
      },
      with(kMirrored));
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
  for (const char* words : {"registry.test/app:v1: registry.test GET of", "one.test", "two.test"})
    EXPECT_NE(result.error().message.find(words), std::string::npos) << result.error().message;
  // What is final is not asked again.
  EXPECT_EQ(harness.log().size(), 6U);
}

// A keychain with a login for each registry, called after it.
class NamedLogins final : public credentials::Keychain {
 public:
  void find(const image::ImageReference& reference, std::stop_token, Callback done) override {
    done({.candidates = {credentials::Credential::password(
              reference.registry(), credentials::Secret(std::string_view("s3cret")), "test")},
          .problems = {}});
  }
};

TEST(Source, EachMirrorIsGivenItsOwnLoginOnly) {
  Harness harness(
      [&](const Asked& asked) {
        return asked.authorization.empty() ? challenge("Basic realm=\"x\"") : status(403);
      },
      with(kMirrored), std::make_shared<NamedLogins>());
  EXPECT_FALSE(harness.resolve(kImage).has_value());
  int sent = 0;
  for (const std::string& line : harness.log()) {
    if (line.find(" Basic ") == std::string::npos) continue;
    ++sent;
    const std::string host =
        line.substr(line.find("//") + 2, line.find("/v2/") - line.find("//") - 2);
    const std::string header = "Basic " + credentials::base64_encode(host + ":s3cret");
    EXPECT_TRUE(line.ends_with(header)) << line;
  }
  EXPECT_GE(sent, 3);
}

TEST(Source, BlockedRegistriesAreNotAsked) {
  Harness harness([](const Asked&) { return head_answer(); },
                  with("[[registry]]\nlocation='registry.test'\nblocked=true\n"
                       "[[registry.mirror]]\nlocation='one.test'"));
  const auto result = harness.resolve(kImage);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kForbidden);
  EXPECT_EQ(result.error().message,
            "registry.test/app:v1: registry.test is blocked by r.conf:1; name an image elsewhere, "
            "or change that file");
  EXPECT_TRUE(harness.log().empty());
}

TEST(Source, ShortNamesAreDockerHubsUnlessAskedFor) {
  const std::string_view conf = "unqualified-search-registries=['registry.test']";
  Harness as_docker([](const Asked&) { return head_answer(); }, with(conf));
  ASSERT_TRUE(as_docker.resolve("app:v1").has_value());
  EXPECT_EQ(as_docker.log().front(),
            "HEAD https://registry-1.docker.io/v2/library/app/manifests/v1");
  Harness as_podman([](const Asked&) { return head_answer(); }, with(conf, {.short_names = true}));
  ASSERT_TRUE(as_podman.resolve("app:v1").has_value());
  EXPECT_EQ(as_podman.log().front(), "HEAD " + kRegistry);
}

constexpr std::string_view kInsecure = "[[registry]]\nlocation='registry.test'\ninsecure=true";
const std::string kPlain = "http://registry.test/v2/app/manifests/v1";

TEST(Source, AnInsecureRegistryIsAskedWithTlsFirstAndAnyCertificate) {
  bool any_certificate = false;
  Harness harness(
      [&](const Asked& asked) {
        any_certificate = asked.request.any_certificate;
        return head_answer();
      },
      with(kInsecure));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_TRUE(any_certificate);
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kRegistry}));
}

TEST(Source, WithoutTlsIsRememberedOfAnInsecureRegistry) {
  Harness harness(
      [&](const Asked& asked) -> Result<http::Response> {
        if (asked.goes_to("http://")) return head_answer();
        return fail(error(ErrorCode::kInvalid, "does not speak TLS"));
      },
      with(kInsecure));
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kRegistry, "HEAD " + kPlain, "HEAD " + kPlain}));
}

TEST(Source, AnInsecureRegistryThatIsSlowIsNotAskedInAnotherWay) {
  Harness harness(
      [&](const Asked&) -> Result<http::Response> {
        return fail(error(ErrorCode::kTimedOut, "no answer"));
      },
      with(kInsecure, {.attempts_max = 2}));
  EXPECT_FALSE(harness.resolve(kImage).has_value());
  EXPECT_EQ(harness.log(), (Log{"HEAD " + kRegistry, "HEAD " + kRegistry}));
}

TEST(Source, WhatIsInsecureCoversNoOtherHost) {
  for (const std::string target : {"https://other.test/x", "https://registry.test:444/x"}) {
    Harness harness(
        [&](const Asked& asked) {
          if (!asked.goes_to(target)) return status(307, {{"Location", target}});
          EXPECT_FALSE(asked.request.any_certificate);
          return head_answer();
        },
        with(kInsecure));
    EXPECT_TRUE(harness.resolve(kImage).has_value());
  }
  Harness others(
      [](const Asked& asked) {
        EXPECT_FALSE(asked.request.any_certificate);
        return head_answer();
      },
      with(kInsecure));
  EXPECT_TRUE(others.resolve("other.test/app:v1").has_value());
}

TEST(Source, NobodyIsSentIntoOurOwnNetwork) {
  for (const std::string host : {"127.0.0.1:9",
                                 "localhost",
                                 "10.0.0.1",
                                 "192.168.0.1:1",
                                 "[::1]",
                                 "[fe80::1]",
                                 "[fd00::1]",
                                 "169.254.169.254",
                                 "100.100.100.200",
                                 "[::ffff:10.0.0.1]",
                                 "[64:ff9b::10.0.0.1]",
                                 "[2002:c0a8:1::1]",
                                 "0.0.0.0",
                                 "172.31.0.1",
                                 "[::]",
                                 "2130706433",
                                 "0x7f.1",
                                 "0177.0.0.1",
                                 "localhost.",
                                 "a.localhost"}) {
    const std::string inner = "https://" + host + "/x";
    Harness redirected([&](const Asked&) { return status(307, {{"Location", inner}}); });
    const auto result = redirected.resolve(kImage);
    ASSERT_FALSE(result.has_value()) << host;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(result.error().message.contains("; if that is meant, allow it with --trust-realm "))
        << result.error().message;
    EXPECT_FALSE(result.error().message.contains("log in"));
    EXPECT_EQ(redirected.log().size(), 1U);

    Harness asked_for_token(
        [&](const Asked&) { return challenge("Bearer realm=\"" + inner + "\""); });
    const auto refused = asked_for_token.resolve(kImage);
    ASSERT_FALSE(refused.has_value());
    EXPECT_TRUE(refused.error().message.contains("no login can be made at registry.test: "));
    EXPECT_FALSE(refused.error().message.contains("log in"));
    for (const std::string& line : asked_for_token.log())
      EXPECT_TRUE(line.starts_with("HEAD https://registry.test/")) << line;
  }
  // A registry that is there itself may; so may one whose name we cannot judge.
  Harness inside([](const Asked& asked) {
    if (asked.goes_to("https://10.0.0.2/")) return head_answer();
    return status(307, {{"Location", "https://10.0.0.2/x"}});
  });
  EXPECT_TRUE(inside.resolve("10.0.0.1:5000/app:v1").has_value());
}

// What a name stands for changes from one answer of a name server to the next.
TEST(Source, ANameIsJudgedAsItIsWrittenWhateverItsAddress) {
  for (const std::string host : {"registry.corp.test", "10.0.0.1.corp.test", "localhost.test"}) {
    Harness harness([&](const Asked& asked) {
      if (asked.goes_to("https://" + host + "/")) return head_answer();
      return status(307, {{"Location", "https://" + host + "/x"}});
    });
    const auto result = harness.resolve(kImage);
    EXPECT_TRUE(result.has_value()) << host << ": " << result.error().message;
  }
}

}  // namespace
}  // namespace windlass::registry

// One lookup against scripted registries: which requests it makes, what it answers, and what it
// says when it cannot.
#include "lookup.h"

#include <gtest/gtest.h>

#include "harness.h"
#include "windlass/base/format.h"

namespace windlass::registry {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const std::string kUrl = "https://registry.test/v2/app/manifests/v1";
const std::string kImage = "registry.test/app:v1";

bool says(const Result<Resolution>& result, std::string_view words) {
  return !result && result.error().message.find(words) != std::string::npos;
}

TEST(Lookup, OneHeadIsAllAWellBehavedRegistryIsAsked) {
  Harness harness([](const Asked&) { return head_answer(); });
  const auto result = harness.resolve(kImage);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(result->digest, manifest_digest());
  EXPECT_EQ(result->media_type, "application/vnd.oci.image.manifest.v1+json");
  EXPECT_EQ(result->size, kManifestBody.size());
  EXPECT_EQ(result->credential_source, "anonymous");
  EXPECT_TRUE(result->asked);
  EXPECT_EQ(result->pinned_name(), "registry.test/app@" + manifest_digest().to_string());
  EXPECT_EQ(harness.log(), (std::vector<std::string>{"HEAD " + kUrl}));
}

TEST(Lookup, GetIsAskedWhereHeadDoesNotTellAndTheBodyIsHashed) {
  const std::vector<http::Response> heads = {status(200),
                                             status(200, {{"Docker-Content-Digest", "sha256:zz"}}),
                                             status(200, {{"ETag", manifest_digest().to_string()}}),
                                             status(400),
                                             status(403),
                                             status(404),
                                             status(405),
                                             status(406),
                                             status(415),
                                             status(501)};
  for (const http::Response& head : heads) {
    std::string accept[2];
    Harness harness([&](const Asked& asked) {
      accept[asked.is_head() ? 0 : 1] = *asked.request.headers.find("Accept");
      http::Response get = get_answer();
      get.headers.add("Docker-Content-Digest", "sha256:" + std::string(64, 'f'));
      return asked.is_head() ? head : get;
    });
    const auto result = harness.resolve(kImage);
    ASSERT_TRUE(result.has_value()) << head.status << result.error().message;
    EXPECT_EQ(result->digest, manifest_digest());
    EXPECT_EQ(harness.log(), (std::vector<std::string>{"HEAD " + kUrl, "GET " + kUrl}));
    EXPECT_EQ(accept[0], accept[1]);
    for (const char* type : {"oci.image.index.v1", "manifest.list.v2", "oci.image.manifest.v1",
                             "docker.distribution.manifest.v2"})
      EXPECT_NE(accept[0].find(type), std::string::npos);
  }
}

TEST(Lookup, FinalErrorsAreAskedOnceEach) {
  const std::tuple<int, ErrorCode, std::size_t> table[] = {
      {404, ErrorCode::kNotFound, 2},
      {403, ErrorCode::kForbidden, 2},
      {418, ErrorCode::kForbidden, 1},
      {204, ErrorCode::kInvalid, 1},
  };
  for (const auto& [code, expected, requests] : table) {
    Harness harness([&](const Asked&) {
      return status(code, {{"Content-Type", "application/json"}},
                    R"({"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]})");
    });
    const auto result = harness.resolve(kImage);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, expected);
    EXPECT_EQ(harness.log().size(), requests);
    EXPECT_TRUE(says(result, "MANIFEST_UNKNOWN: manifest unknown")) << result.error().message;
  }
}

TEST(Lookup, MessageNamesImageHostStepLoginAndNextStep) {
  Harness harness([](const Asked&) { return status(404); });
  const auto result = harness.resolve("nginx:nope");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message,
            "nginx:nope: registry-1.docker.io GET of /v2/library/nginx/manifests/nope (anonymous): "
            "answered 404; check the name and the tag; a private image needs a login to docker.io");
}

TEST(Lookup, ALoginIsOnlyAdvisedWhereItMayHelp) {
  const std::pair<int, std::string_view> table[] = {
      {403, "; log in there"},
      {451, "; ask its owner for access"},
      {400, "; check the name, and that it is a registry"},
      {405, "; check the name, and that it is a registry"},
      {418, "; check the name, and that it is a registry"},
  };
  for (const auto& [code, advice] : table) {
    Harness harness([&](const Asked&) { return status(code); });
    const auto result = harness.resolve(kImage);
    ASSERT_FALSE(result.has_value());
    EXPECT_TRUE(result.error().message.ends_with(advice)) << result.error().message;
  }
}

TEST(Lookup, AnswersThatAreNoRegistrysSayWhatToCheck) {
  const std::pair<http::Response, std::string_view> table[] = {
      {status(200, {{"Content-Type", "text/html"}}, "<html>"),
       "; check that this is a registry's name and that no proxy or login page answers in its "
       "place"},
      {status(200, {}, "{}"), "answers in its place"},
      {status(200, {{"Content-Encoding", "gzip"}}, "x"), "answers in its place"},
      {status(204), "; check the name, and that it is a registry"},
      {status(304), "; check the name, and that it is a registry"},
      {status(505), "; check the name, and that it is a registry"},
  };
  for (const auto& [answer, advice] : table) {
    Harness harness([&](const Asked&) { return answer; });
    const auto result = harness.resolve(kImage);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
    EXPECT_TRUE(result.error().message.ends_with(advice)) << result.error().message;
  }
}

TEST(Lookup, TransientStatusesAreTriedAgain) {
  for (const int code : {408, 500, 502, 503, 504, 522}) {
    Harness harness(
        [&](const Asked& asked) { return asked.count < 2 ? status(code) : head_answer(); });
    const auto result = harness.resolve(kImage);
    EXPECT_TRUE(result.has_value()) << code;
    EXPECT_EQ(harness.log().size(), 3U);
  }
}

TEST(Lookup, WhatNeverGetsBetterIsReportedWithTheNumberOfTries) {
  Harness harness([](const Asked&) { return status(503); });
  const auto result = harness.resolve(kImage, {.timeout = std::chrono::hours(1)});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kUnavailable);
  EXPECT_TRUE(says(result, "answered 503 (tried 6 times); try again later"))
      << result.error().message;
  EXPECT_EQ(harness.log().size(), 6U);
}

TEST(Lookup, EachAttemptThatIsMadeAgainIsTold) {
  std::vector<std::string> told;
  RegistryOptions options;
  options.on_failed_attempt = [&](const FailedAttempt& failed) {
    EXPECT_GE(failed.pause, Duration::zero());
    told.push_back(format("{} {} {}", failed.reference.written(), failed.attempts,
                          to_string(failed.error.code)));
  };
  Harness harness([](const Asked& asked) { return asked.count < 2 ? status(503) : head_answer(); },
                  std::move(options));
  EXPECT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_EQ(told,
            (std::vector{format("{} 1 unavailable", kImage), format("{} 2 unavailable", kImage)}));
}

TEST(Lookup, BrokenConnectionsAreTriedAgainAndThenWithGet) {
  Harness harness([](const Asked& asked) -> Result<http::Response> {
    if (asked.is_head())
      return fail(ErrorCode::kUnavailable, "registry.test: the connection broke off");
    return get_answer();
  });
  const auto result = harness.resolve(kImage);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(harness.log(),
            (std::vector<std::string>{"HEAD " + kUrl, "HEAD " + kUrl, "GET " + kUrl}));
}

TEST(Lookup, CertificateErrorsAreFinal) {
  Harness harness([](const Asked&) -> Result<http::Response> {
    return fail(ErrorCode::kInvalid, "registry.test: the certificate is not trusted");
  });
  const auto result = harness.resolve(kImage);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(harness.log().size(), 1U);
}

TEST(Lookup, SilenceEndsWithTheDeadlineAndSaysWhatCameBefore) {
  Harness harness([](const Asked& asked) -> std::optional<Result<http::Response>> {
    if (asked.count == 0) return status(502);
    return std::nullopt;
  });
  const TimePoint before = harness.clock.now();
  const auto result = harness.resolve(kImage, {.timeout = seconds(2)});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kTimedOut);
  EXPECT_TRUE(says(result, "answered 502")) << result.error().message;
  EXPECT_EQ(harness.clock.now() - before, seconds(2));
}

TEST(Lookup, RequestsGetNoMoreTimeThanTheLookupHas) {
  Duration given{};
  Harness harness([&](const Asked& asked) {
    given = asked.request.timeout;
    return head_answer();
  });
  ASSERT_TRUE(harness.resolve(kImage, {.timeout = seconds(3)}).has_value());
  EXPECT_EQ(given, seconds(3));
  ASSERT_TRUE(harness.resolve(kImage, {.timeout = seconds(300)}).has_value());
  EXPECT_EQ(given, seconds(10));
}

TEST(Lookup, StopEndsItQuietlyWhateverItWaitsFor) {
  const auto hang = [](const Asked&) -> std::optional<Result<http::Response>> {
    return std::nullopt;
  };
  const auto unavailable = [](const Asked&) -> std::optional<Result<http::Response>> {
    return status(503, {{"Retry-After", "20"}});
  };
  for (const Answers& answers : {Answers(hang), Answers(unavailable)}) {
    Harness harness(answers);
    std::stop_source stop;
    harness.start(kImage, {}, stop.get_token());
    stop.request_stop();
    EXPECT_EQ(harness.finish_all().back().error().code, ErrorCode::kCancelled);
  }
}

TEST(Lookup, RetryAfterIsWaitedForByEverybody) {
  Harness harness([](const Asked& asked) -> std::optional<Result<http::Response>> {
    if (asked.goes_to(kUrl) && asked.count == 0) return status(429, {{"Retry-After", "3"}});
    return head_answer();
  });
  const TimePoint before = harness.clock.now();
  ASSERT_TRUE(harness.resolve(kImage).has_value());
  EXPECT_GE(harness.clock.now() - before, seconds(3));
}

TEST(Lookup, AParkedHostIsLeftAloneByLaterLookupsAndOthersAreNot) {
  Harness harness([](const Asked& asked) {
    return asked.goes_to("https://registry.test/v2/first") ? status(429, {{"Retry-After", "60"}})
                                                           : head_answer();
  });
  const auto first = harness.resolve("registry.test/first:v1");
  ASSERT_FALSE(first.has_value());
  EXPECT_EQ(first.error().code, ErrorCode::kThrottled);
  EXPECT_EQ(first.error().retry_after, seconds(60));
  EXPECT_TRUE(says(first, "try again in 1 min"));

  const auto second = harness.resolve("registry.test/second:v1");
  EXPECT_EQ(second.error().code, ErrorCode::kThrottled);
  EXPECT_EQ(harness.log().size(), 1U);
  EXPECT_TRUE(harness.resolve("other.test/app:v1").has_value());

  const TimePoint before = harness.clock.now();
  EXPECT_TRUE(harness.resolve("registry.test/second:v1", {.timeout = seconds(90)}).has_value());
  EXPECT_GE(harness.clock.now() - before, seconds(59));
}

TEST(Lookup, AHostIsLeftAloneForNoLongerThanADay) {
  for (const char* wish : {"86401", "4294967295"}) {
    Harness harness([&](const Asked& asked) {
      return asked.count == 0 ? status(429, {{"Retry-After", wish}}) : head_answer();
    });
    EXPECT_EQ(harness.resolve(kImage).error().code, ErrorCode::kThrottled);
    harness.clock.advance(std::chrono::hours(24) - seconds(1));
    EXPECT_EQ(harness.resolve(kImage, {.timeout = seconds(0)}).error().code, ErrorCode::kThrottled);
    EXPECT_EQ(harness.log().size(), 1U);
    harness.clock.advance(seconds(1));
    EXPECT_TRUE(harness.resolve(kImage).has_value());
  }
}

TEST(Lookup, ThrottlingWithoutATimeIsTriedABoundedNumberOfTimes) {
  Harness harness([](const Asked&) {
    return status(429, {},
                  R"({"errors":[{"code":"TOOMANYREQUESTS","message":"pull rate limit"}]})");
  });
  const auto result = harness.resolve(kImage);
  EXPECT_EQ(result.error().code, ErrorCode::kThrottled);
  EXPECT_TRUE(says(result, "pull rate limit"));
  EXPECT_LE(harness.log().size(), 6U);
}

TEST(Lookup, ManyAtOnceEachGetTheirOwnAnswer) {
  Harness harness([](const Asked& asked) {
    return asked.request.url.ends_with("/odd") ? status(404) : head_answer();
  });
  for (int i = 0; i < 500; ++i)
    harness.start("registry.test/app" + std::to_string(i) + (i % 2 == 1 ? ":odd" : ":even"));
  const auto results = harness.finish_all();
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].has_value(), i % 2 == 0);
    if (!results[i]) continue;
    EXPECT_EQ(results[i]->reference.repository(), "app" + std::to_string(i));
  }
}

TEST(Lookup, ImpossiblePortIsAnErrorAndNotARequest) {
  Harness harness([](const Asked&) { return head_answer(); });
  const auto result = harness.resolve("registry.test:99999/app:v1");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(harness.log().empty());
}

}  // namespace
}  // namespace windlass::registry

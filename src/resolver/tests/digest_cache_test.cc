#include "digest_cache.h"

#include <gtest/gtest.h>

#include "core_world.h"

namespace windlass::resolver {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using Names = std::vector<std::string>;

constexpr TimePoint kStart = TimePoint{} + hours(1);

Outcome found(const std::string& image) {
  return pinned_outcome(*image::ImageReference::parse(image + "@sha256:" + std::string(64, 'a')));
}

Outcome failed(ErrorCode code) { return failed_outcome({.code = code, .message = "no"}, 3); }

TEST(DigestCache, GivesADigestForItsTimeAndNoLonger) {
  DigestCache cache({.digest = seconds(30)});
  EXPECT_EQ(cache.find(kStart, "k"), nullptr);
  cache.put(kStart, "k", found("app"));
  const Outcome known = cache.find(kStart + seconds(30) - Duration(1), "k");
  ASSERT_NE(known, nullptr);
  EXPECT_TRUE(known->cached);
  EXPECT_EQ(known->tries, 0);
  EXPECT_EQ(cache.find(kStart + seconds(30), "k"), nullptr);
  EXPECT_EQ(cache.size(), 0U);
}

TEST(DigestCache, KeepsEachKindOfFailureForItsOwnTime) {
  const CacheOptions options{.not_found = seconds(5), .refused = seconds(9)};
  struct Row {
    ErrorCode code;
    Duration kept;
  };
  const Row rows[] = {{ErrorCode::kNotFound, seconds(5)},
                      {ErrorCode::kInvalid, seconds(5)},
                      {ErrorCode::kUnauthenticated, seconds(9)},
                      {ErrorCode::kForbidden, seconds(9)},
                      {ErrorCode::kThrottled, {}},
                      {ErrorCode::kUnavailable, {}},
                      {ErrorCode::kTimedOut, {}},
                      {ErrorCode::kConflict, {}},
                      {ErrorCode::kCancelled, {}},
                      {ErrorCode::kCorrupt, {}},
                      {ErrorCode::kInternal, {}}};
  for (const Row& row : rows) {
    DigestCache cache(options);
    cache.put(kStart, "k", failed(row.code));
    EXPECT_EQ(cache.find(kStart, "k") != nullptr, row.kept > Duration::zero())
        << to_string(row.code);
    EXPECT_EQ(cache.find(kStart + row.kept, "k"), nullptr) << to_string(row.code);
  }
}

TEST(DigestCache, KeepsThoseUsedLastWhenFull) {
  DigestCache cache({.entries_max = 2});
  cache.put(kStart, "a", found("a"));
  cache.put(kStart, "b", found("b"));
  EXPECT_NE(cache.find(kStart, "a"), nullptr);
  cache.put(kStart, "c", found("c"));
  EXPECT_EQ(cache.find(kStart, "b"), nullptr);
  EXPECT_NE(cache.find(kStart, "a"), nullptr);
  EXPECT_NE(cache.find(kStart, "c"), nullptr);
  EXPECT_EQ(cache.size(), 2U);
}

TEST(DigestCache, ALaterAnswerReplacesAnEarlierOne) {
  DigestCache cache({});
  cache.put(kStart, "k", found("app"));
  cache.put(kStart, "k", failed(ErrorCode::kNotFound));
  EXPECT_TRUE(cache.find(kStart, "k")->failed());
  EXPECT_EQ(cache.find_stale(kStart, "k"), nullptr);
  EXPECT_EQ(cache.size(), 1U);
}

TEST(DigestCache, AStaleDigestIsKeptForItsOwnTime) {
  DigestCache cache({.digest = seconds(30), .stale = hours(1)});
  cache.put(kStart, "k", found("app"));
  EXPECT_EQ(cache.find(kStart + minutes(1), "k"), nullptr);
  EXPECT_NE(cache.find_stale(kStart + minutes(1), "k"), nullptr);
  EXPECT_EQ(cache.find_stale(kStart + hours(1), "k"), nullptr);
}

Options with_cache(const CacheOptions& cache) {
  Options options = core_options();
  options.cache = cache;
  return options;
}

TEST(CachedAnswers, ServeTheNextOwnerAtOnce) {
  CoreWorld world(with_cache({.digest = seconds(30)}));
  world.resolve("a", {"app"});
  world.succeed("app");
  const std::optional<Answer> answer = world.resolve("b", {"docker.io/app"});
  ASSERT_TRUE(answer.has_value());
  EXPECT_TRUE(answer->images[0].cached);
  EXPECT_EQ(answer->images[0].resolution->reference.written(), "docker.io/app");
  EXPECT_EQ(world.take_callbacks(), (Names{"a", "b"}));
  world.advance(seconds(30));
  EXPECT_FALSE(world.resolve("c", {"app"}).has_value());
}

TEST(CachedAnswers, AreNotGivenToOtherCredentials) {
  CoreWorld world(with_cache({.digest = seconds(30)}));
  world.resolve("a", {"app"}, {.credentials = {.identity = "alice"}});
  world.succeed("app");
  EXPECT_FALSE(world.resolve("b", {"app"}, {.credentials = {.identity = "bob"}}).has_value());
}

TEST(CachedAnswers, SpareTheRegistryAMissingTagForAWhile) {
  CoreWorld world(with_cache({.not_found = seconds(5)}));
  world.resolve("a", {"app"});
  world.fail("app", ErrorCode::kNotFound);
  EXPECT_EQ(world.resolve("b", {"app"})->error()->code, ErrorCode::kNotFound);
  world.advance(seconds(5));
  EXPECT_FALSE(world.resolve("c", {"app"}).has_value());
}

TEST(StaleDigests, StandInWhileTheRegistryCannotBeAsked) {
  CoreWorld world(with_cache({.digest = seconds(30), .stale = hours(24)}));
  world.resolve("a", {"app"});
  world.succeed("app");
  world.advance(hours(1));
  EXPECT_FALSE(world.resolve("b", {"app"}).has_value());
  world.fail("app", ErrorCode::kUnavailable);
  EXPECT_TRUE(world.take_callbacks() == Names{"a"});
  world.advance(seconds(60));
  const std::optional<Answer> answer = world.resolve("b", {"app"});
  ASSERT_TRUE(answer.has_value());
  EXPECT_TRUE(answer->images[0].resolved());
  EXPECT_TRUE(answer->images[0].stale);
  EXPECT_EQ(answer->images[0].resolution->digest, digest_for("docker.io/library/app:latest"));
  EXPECT_TRUE(answer->images[0].error.has_value());
  EXPECT_FALSE(answer->failed());
}

TEST(StaleDigests, DoNotHideThatATagIsGone) {
  CoreWorld world(with_cache({.digest = seconds(30), .stale = hours(24)}));
  world.resolve("a", {"app"});
  world.succeed("app");
  world.advance(hours(1));
  world.resolve("b", {"app"});
  world.fail("app", ErrorCode::kNotFound);
  EXPECT_TRUE(world.resolve("b", {"app"})->failed());
}

TEST(StaleDigests, AreNotGivenUnlessAskedFor) {
  CoreWorld world(with_cache({.digest = seconds(30)}));
  world.resolve("a", {"app"});
  world.succeed("app");
  world.advance(hours(1));
  world.resolve("b", {"app"});
  world.advance(seconds(60));
  EXPECT_TRUE(world.resolve("b", {"app"})->failed());
}

}  // namespace
}  // namespace windlass::resolver

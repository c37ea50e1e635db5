// What an owner's failures mean for its next lookups, and for those of others.
#include <gtest/gtest.h>

#include "core_world.h"

namespace windlass::resolver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Names = std::vector<std::string>;

// An owner asks, fails for good, and is cleared.
void fail_a_round(CoreWorld& world, const std::string& owner) {
  world.resolve(owner, {"app"});
  world.fail("app", ErrorCode::kNotFound);
  world.clear(owner);
}

TEST(BackoffMemory, EachFailedRoundOfAnOwnerDoublesThePauseBeforeItsNext) {
  Options options = core_options();
  options.retry_base = milliseconds(50);
  CoreWorld world(options);
  for (const int pause_ms : {0, 50, 100, 200}) {
    world.resolve("a", {"app", "good"});
    EXPECT_EQ(world.running().size(), pause_ms == 0 ? 2U : 1U);
    world.succeed("good");
    if (pause_ms > 0) world.advance(milliseconds(pause_ms) - Duration(1));
    EXPECT_EQ(world.running().size(), pause_ms == 0 ? 1U : 0U);
    world.advance(Duration(1));
    world.fail("app", ErrorCode::kNotFound);
    EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
    world.clear("a");
  }
}

TEST(BackoffMemory, AnotherOwnerOfTheSameImageIsNotDelayed) {
  CoreWorld world;
  fail_a_round(world, "a");
  world.resolve("b", {"app"});
  EXPECT_EQ(world.running().size(), 1U);
}

TEST(BackoffMemory, AnotherOwnerStartsAtOnceWhatThePunishedOneWaitsFor) {
  CoreWorld world;
  fail_a_round(world, "a");
  world.resolve("a", {"app"});
  EXPECT_TRUE(world.running().empty());
  world.resolve("b", {"app"});
  EXPECT_EQ(world.running().size(), 1U);
  world.succeed("app");
  EXPECT_EQ(world.take_callbacks(), (Names{"a", "b"}));
}

TEST(BackoffMemory, ForgetRemovesTheDelayEvenAfterClear) {
  CoreWorld world;
  fail_a_round(world, "a");
  EXPECT_FALSE(world.core().empty());
  world.forget("a");
  EXPECT_TRUE(world.core().empty());
  world.resolve("a", {"app"});
  EXPECT_EQ(world.running().size(), 1U);
}

TEST(BackoffMemory, SuccessEndsTheDelay) {
  CoreWorld world;
  fail_a_round(world, "a");
  world.advance(seconds(1));
  world.resolve("a", {"app"});
  world.succeed("app");
  world.clear("a");
  EXPECT_TRUE(world.core().empty());
}

TEST(BackoffMemory, AHundredOwnersFailedClearedAndForgottenLeaveNothing) {
  CoreWorld world;
  for (int i = 0; i < 100; ++i) {
    const std::string owner = "ns/" + std::to_string(i);
    fail_a_round(world, owner);
  }
  for (int i = 0; i < 100; ++i) world.forget("ns/" + std::to_string(i));
  EXPECT_TRUE(world.core().empty());
  EXPECT_EQ(world.queued(), 0U);
}

TEST(BackoffMemory, OfOwnersThatNobodyForgetsEndsByItself) {
  CoreWorld world;
  fail_a_round(world, "a");
  world.advance(seconds(1000));
  EXPECT_TRUE(world.core().empty());
}

TEST(BackoffMemory, ALateOwnerOfAFailingLookupWaitsNoLongerThanTheFirstPause) {
  CoreWorld world;
  ResolveOptions patient;
  patient.deadline = std::chrono::hours(1);
  world.resolve("a", {"app"}, patient);
  for (int failures = 1; failures <= 8; ++failures) {
    world.fail("app", ErrorCode::kUnavailable);
    if (failures < 8) world.advance(seconds(1 << (failures - 1)));
  }
  world.advance(milliseconds(100));
  world.resolve("b", {"app"});
  world.resolve("c", {"app"});
  EXPECT_TRUE(world.running().empty());
  world.advance(milliseconds(900));
  EXPECT_EQ(world.running().size(), 1U);
  world.succeed("app");
  EXPECT_EQ(world.take_callbacks(), (Names{"a", "b", "c"}));
  EXPECT_EQ(world.tries_of("app"), 9);
}

TEST(BackoffMemory, ANewOwnerDoesNotCutShortWhatTheRegistryAskedFor) {
  CoreWorld world;
  world.resolve("a", {"app"});
  world.fail("app", Error{.code = ErrorCode::kThrottled,
                          .message = "too many requests",
                          .retry_after = seconds(30)});
  world.resolve("b", {"app"});
  world.advance(seconds(29));
  EXPECT_TRUE(world.running().empty());
  world.advance(seconds(1));
  EXPECT_EQ(world.running().size(), 1U);
}

TEST(BackoffMemory, ARegistryThatAsksForYearsIsAskedAgainAfterADay) {
  CoreWorld world;
  ResolveOptions patient;
  patient.deadline = std::chrono::hours(48);
  world.resolve("a", {"app"}, patient);
  world.fail("app", Error{.code = ErrorCode::kThrottled,
                          .message = "too many requests",
                          .retry_after = std::chrono::hours(24 * 365)});
  world.advance(std::chrono::hours(24) - Duration(1));
  EXPECT_TRUE(world.running().empty());
  world.advance(Duration(1));
  EXPECT_EQ(world.running().size(), 1U);
}

TEST(BackoffMemory, OfOneOwnerIsBoundedAndTheLatestFailuresStay) {
  Options options = core_options();
  options.backoffs_max = 4;
  CoreWorld world(options);
  const auto image = [](int i) { return "app:v" + std::to_string(i); };
  for (int i = 0; i < 100; ++i) {
    world.resolve("a", {image(i)});
    world.fail(image(i), ErrorCode::kNotFound);
    world.advance(milliseconds(1));
  }
  int delayed = 0;
  for (int i = 0; i < 100; ++i) {
    world.resolve("a", {image(i)});
    delayed += world.running().empty() ? 1 : 0;
  }
  EXPECT_LE(delayed, 4);
  world.resolve("a", {image(99)});
  EXPECT_TRUE(world.running().empty());
}

TEST(BackoffMemory, ANewOwnerWithoutTheTimeForThatGetsTheCauseAtOnce) {
  CoreWorld world;
  world.resolve("a", {"app"});
  world.fail("app", Error{.code = ErrorCode::kThrottled,
                          .message = "too many requests",
                          .retry_after = seconds(30)});
  ResolveOptions hurried;
  hurried.deadline = seconds(5);
  const std::optional<Answer> answer = world.resolve("b", {"app"}, hurried);
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->error()->code, ErrorCode::kThrottled);
}

}  // namespace
}  // namespace windlass::resolver

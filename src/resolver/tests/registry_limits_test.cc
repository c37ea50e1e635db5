// What the limits of one registry mean for lookups: of that registry, and of others.
#include <gtest/gtest.h>

#include "core_world.h"

namespace windlass::resolver {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using Names = std::vector<std::string>;

Options limited(const RegistryLimits& limits) {
  Options options = core_options();
  options.registry = limits;
  return options;
}

Names images(const std::string& prefix, int count) {
  Names names;
  for (int i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

Error throttled(Duration retry_after) {
  return {.code = ErrorCode::kThrottled, .message = "slow down", .retry_after = retry_after};
}

ResolveOptions with_deadline(Duration deadline) {
  ResolveOptions options;
  options.deadline = deadline;
  return options;
}

TEST(RegistryLimits, NoMoreUnderWayAtOneRegistryThanAllowed) {
  CoreWorld world(limited({.in_flight_max = 3}));
  world.resolve("a", images("registry.test/app", 10));
  EXPECT_EQ(world.running().size(), 3U);
  world.succeed("registry.test/app0");
  EXPECT_EQ(world.running().size(), 3U);
  world.fail("registry.test/app1", ErrorCode::kNotFound);
  EXPECT_EQ(world.running().size(), 3U);
}

TEST(RegistryLimits, ABlackHoleDoesNotDelayAnotherRegistry) {
  CoreWorld world(limited({.in_flight_max = 3}));
  world.resolve("a", images("hole.test/app", 1000));
  world.resolve("b", {"registry.test/app"});
  EXPECT_EQ(world.running().back(), "registry.test/app:latest");
}

TEST(RegistryLimits, SilentRegistriesLeaveHalfOfAllToThoseThatAnswer) {
  Options options = core_options();
  options.in_flight_max = 8;
  CoreWorld world(options);
  for (int hole = 0; hole < 20; ++hole) {
    const std::string host = "hole" + std::to_string(hole) + ".test/app";
    world.resolve(host, images(host, 20));
  }
  world.resolve("a", images("good.test/app", 10));
  // Four of the first, and one of each other: nobody waits for another one's answer.
  EXPECT_EQ(world.running().size(), 4U + 19U + 1U);
  EXPECT_EQ(world.running().back(), "good.test/app0:latest");
  for (int i = 0; i < 10; ++i) world.succeed("good.test/app" + std::to_string(i));
  EXPECT_EQ(world.take_callbacks(), Names{"a"});

  for (int hole = 4; hole < 20; ++hole) world.forget("hole" + std::to_string(hole) + ".test/app");
  while (world.cancelled() > 0) world.end_cancelled();
  EXPECT_EQ(world.running().size(), 4U + 3U);
  world.resolve("b", images("good.test/app", 10));
  EXPECT_EQ(world.running().size(), 4U + 3U + 1U);
  world.succeed("good.test/app0");
  EXPECT_EQ(world.running().back(), "good.test/app1:latest");
}

TEST(RegistryLimits, RegistriesThatAnswerTakeTurns) {
  Options options = core_options();
  options.in_flight_max = 4;
  CoreWorld world(options);
  for (const std::string& host : Names{"a.test/", "b.test/"}) {
    world.resolve(host, images(host, 30));
    for (int i = 0; i < 10; ++i) world.succeed(host + std::to_string(i));
  }
  // All of the first owner's four, then one more of each in turn.
  EXPECT_EQ(world.running(), (Names{"a.test/10:latest", "a.test/11:latest", "a.test/12:latest",
                                    "a.test/13:latest", "b.test/10:latest"}));
  for (int i = 10; i < 12; ++i) world.succeed("a.test/" + std::to_string(i));
  EXPECT_EQ(world.running(), (Names{"a.test/12:latest", "a.test/13:latest", "a.test/14:latest",
                                    "b.test/10:latest"}));
  for (int i = 12; i < 14; ++i) world.succeed("a.test/" + std::to_string(i));
  EXPECT_EQ(world.running(), (Names{"a.test/14:latest", "a.test/15:latest", "b.test/10:latest",
                                    "b.test/11:latest"}));
}

TEST(RegistryLimits, FirstTriesBeyondTheLimitAreBoundedToo) {
  Options options = core_options();
  options.in_flight_max = 2;
  options.in_flight_beyond = 3;
  CoreWorld world(options);
  for (int i = 0; i < 10; ++i) world.resolve(std::to_string(i), {std::to_string(i) + ".test/app"});
  EXPECT_EQ(world.running().size(), 5U);
  for (int i = 0; i < 10; ++i) world.succeed(std::to_string(i) + ".test/app");
  EXPECT_EQ(world.take_callbacks().size(), 10U);
}

TEST(RegistryLimits, ACancelledTryCountsUntilItHasEnded) {
  Options options = core_options();
  options.in_flight_max = 1;
  options.in_flight_beyond = 0;
  CoreWorld world(options);
  world.resolve("a", {"a.test/app"});
  world.resolve("b", {"b.test/app"});
  world.forget("a");
  EXPECT_TRUE(world.running().empty());
  world.end_cancelled();
  EXPECT_EQ(world.running(), Names{"b.test/app:latest"});
}

TEST(RegistryLimits, MoreRoomLetsThroughThoseThatWait) {
  Options options = core_options();
  options.in_flight_max = 0;
  CoreWorld world(options);
  world.resolve("a", images("a.test/app", 6));
  EXPECT_TRUE(world.running().empty());
  world.core().set_in_flight_max(world.now(), 4);
  world.settle();
  EXPECT_EQ(world.running().size(), 2U);  // half of them, until it answers
  world.succeed("a.test/app0");
  EXPECT_EQ(world.running().size(), 4U);
}

TEST(RegistryLimits, OwnersTakeTurns) {
  CoreWorld world(limited({.in_flight_max = 1}));
  world.resolve("greedy", images("registry.test/g", 100));
  world.succeed("registry.test/g0");
  world.resolve("b", {"registry.test/b0", "registry.test/b1"});
  world.resolve("c", {"registry.test/c0"});
  Names order;
  for (int i = 0; i < 6; ++i) {
    order.push_back(world.running().front());
    world.succeed(order.back());
  }
  EXPECT_EQ(order, (Names{"registry.test/g1:latest", "registry.test/b0:latest",
                          "registry.test/c0:latest", "registry.test/g2:latest",
                          "registry.test/b1:latest", "registry.test/g3:latest"}));
}

TEST(RegistryLimits, TurnsOfEarlierOwnersComeHoweverManyFollow) {
  CoreWorld world(limited({.in_flight_max = 1}));
  world.resolve("first", images("registry.test/f", 5));
  int rounds = 0;
  for (; world.tries_of("registry.test/f4") == 0; ++rounds) {
    ASSERT_LT(rounds, 50);
    const std::string later = "later" + std::to_string(rounds);
    world.resolve(later, {"registry.test/" + later});
    world.succeed(world.running().front());
  }
}

TEST(RegistryLimits, AnImageThatASecondOwnerWantsFirstComesEarlier) {
  CoreWorld world(limited({.in_flight_max = 1}));
  world.resolve("a", images("registry.test/a", 10));
  world.resolve("b", {"registry.test/a9"});
  world.succeed("registry.test/a0");
  EXPECT_EQ(world.running(), Names{"registry.test/a9:latest"});
}

TEST(RegistryLimits, OneThrottledTryPausesTheWholeRegistryAndNoOther) {
  CoreWorld world(limited({.in_flight_max = 4}));
  for (const std::string& image : images("registry.test/app", 100)) world.resolve(image, {image});
  world.fail("registry.test/app0", throttled(seconds(3)));
  for (int i = 1; i < 4; ++i) world.succeed("registry.test/app" + std::to_string(i));
  EXPECT_TRUE(world.running().empty());
  world.resolve("b", {"other.test/app"});
  EXPECT_EQ(world.running(), Names{"other.test/app:latest"});
  world.succeed("other.test/app");

  world.advance(seconds(3) - Duration(1));
  EXPECT_TRUE(world.running().empty());
  world.advance(Duration(1));
  EXPECT_EQ(world.running().size(), 3U);  // of 4: half, and what three answers gave back
  while (!world.running().empty()) world.succeed(world.running().front());
  EXPECT_EQ(world.status().tries, 100U + 1U + 1U);
}

TEST(RegistryLimits, ThoseLetThroughAndNotStartedWaitToo) {
  CoreWorld world(limited({.in_flight_max = 4}));
  ResolverCore core(limited({.in_flight_max = 4}));
  const TimePoint now = world.now();
  core.resolve(now, "a", Names{"registry.test/a", "registry.test/b"}, {});
  const Commands commands = core.take_commands();
  ASSERT_EQ(commands.enqueue.size(), 2U);
  ASSERT_TRUE(core.start(now, commands.enqueue[0].id).has_value());
  core.finish(now, commands.enqueue[0].id, fail(throttled(seconds(3))));
  EXPECT_FALSE(core.start(now, commands.enqueue[1].id).has_value());
  EXPECT_EQ(core.next_tick(), now + seconds(3));
}

TEST(RegistryLimits, ALineThatDoesNotCountUsesNothingOfTheDeadline) {
  CoreWorld world(limited({.in_flight_max = 1}));
  const ResolveOptions patient{.deadline = seconds(10), .deadline_includes_line = false};
  world.resolve("first", {"registry.test/first"}, patient);
  world.resolve("second", {"registry.test/second"}, patient);
  world.resolve("counts", {"registry.test/counts"}, {.deadline = seconds(10)});
  world.advance(seconds(10));
  EXPECT_EQ(world.take_callbacks(), (Names{"first", "counts"}));
  EXPECT_EQ(world.running(), Names{"registry.test/second:latest"});
  world.advance(seconds(10) - Duration(1));
  EXPECT_TRUE(world.take_callbacks().empty());
  world.advance(Duration(1));
  EXPECT_EQ(world.take_callbacks(), Names{"second"});
}

TEST(RegistryLimits, ALineThatDoesNotCountStillEndsWhereARegistryIsLeftAloneForLonger) {
  CoreWorld world(limited({.in_flight_max = 1}));
  const ResolveOptions patient{.deadline = seconds(10), .deadline_includes_line = false};
  world.resolve("first", {"registry.test/first"}, patient);
  world.resolve("second", {"registry.test/second"}, patient);
  world.fail("registry.test/first", throttled(seconds(3600)));
  EXPECT_EQ(world.take_callbacks(), (Names{"first", "second"}));
}

TEST(RegistryLimits, ALineThatDoesNotCountEndsWhenNobodyGetsATurnAnyMore) {
  Options options = core_options();
  options.in_flight_max = 0;
  CoreWorld world(options);
  const ResolveOptions patient{.deadline = seconds(10), .deadline_includes_line = false};
  world.resolve("patient", {"registry.test/app"}, patient);
  world.resolve("counts", {"registry.test/app"}, {.deadline = seconds(10)});
  EXPECT_TRUE(world.take_callbacks().empty());
  world.core().close(world.now());
  world.settle();
  EXPECT_EQ(world.take_callbacks(), Names{"patient"});
  const auto answer = world.resolve("patient", {"registry.test/app"}, patient);
  ASSERT_TRUE(answer && answer->error());
  EXPECT_EQ(answer->error()->code, ErrorCode::kCancelled);
  world.advance(seconds(10));
  EXPECT_EQ(world.take_callbacks(), Names{"counts"});
}

TEST(RegistryLimits, TakingAllTurnsAwayEndsALineThatDoesNotCountOnceNobodyNewIsLetIn) {
  CoreWorld world(limited({.in_flight_max = 1}));
  const ResolveOptions patient{.deadline = seconds(10), .deadline_includes_line = false};
  world.resolve("first", {"registry.test/first"}, patient);
  world.resolve("second", {"registry.test/second"}, patient);
  world.core().set_in_flight_max(world.now(), 0);
  world.settle();
  EXPECT_TRUE(world.take_callbacks().empty());
  world.core().set_in_flight_max(world.now(), 1);
  world.core().close(world.now());
  world.settle();
  EXPECT_TRUE(world.take_callbacks().empty());
  world.core().set_in_flight_max(world.now(), 0);
  world.settle();
  EXPECT_EQ(world.take_callbacks(), Names{"second"});
  world.succeed("registry.test/first");
  EXPECT_EQ(world.take_callbacks(), Names{"first"});
}

TEST(RegistryLimits, WhoCannotWaitSoLongIsToldAtOnce) {
  CoreWorld world(limited({.in_flight_max = 1}));
  world.resolve("a", {"registry.test/a"});
  world.resolve("hurried", {"registry.test/b"}, with_deadline(seconds(60)));
  world.resolve("patient", {"registry.test/c"}, with_deadline(hours(48)));
  world.fail("registry.test/a", throttled(hours(24)));
  EXPECT_EQ(world.take_callbacks(), (Names{"a", "hurried"}));

  for (const char* owner : {"hurried", "late"}) {
    const std::optional<Answer> answer =
        world.resolve(owner, {"registry.test/b"}, with_deadline(seconds(60)));
    ASSERT_TRUE(answer.has_value()) << owner;
    EXPECT_EQ(answer->images[0].error->code, ErrorCode::kThrottled);
    EXPECT_EQ(answer->images[0].error->retry_after, hours(24));
    EXPECT_EQ(answer->images[0].error->message,
              "registry.test/b: not asked, since registry.test asked for a pause, for 24 h 0 min "
              "more: slow down");
  }
  EXPECT_EQ(world.tries_of("registry.test/b"), 0);
}

TEST(RegistryLimits, ARegistryThatKeepsFailingIsProbedByOneTry) {
  CoreWorld world(
      limited({.in_flight_max = 4, .breaker_failures = 4, .breaker_pause = seconds(5)}));
  world.resolve("a", images("registry.test/app", 8));
  while (!world.running().empty()) world.fail(world.running().front(), ErrorCode::kUnavailable);
  EXPECT_EQ(world.status().tries, 4U);
  EXPECT_TRUE(world.status().registries[0].tripped);
  world.advance(seconds(5));
  ASSERT_EQ(world.running().size(), 1U);
  world.succeed(world.running().front());
  EXPECT_EQ(world.running().size(), 4U);
  EXPECT_FALSE(world.status().registries[0].tripped);
}

TEST(RegistryLimits, ARegistryThatSaysNoIsNotFailing) {
  CoreWorld world(limited({.breaker_failures = 1}));
  for (const std::string& image : images("registry.test/app", 20)) {
    world.resolve(image, {image});
    world.fail(image, ErrorCode::kNotFound);
  }
  EXPECT_EQ(world.status().tries, 20U);
}

TEST(RegistryLimits, TokensSpreadTheTries) {
  CoreWorld world(limited({.in_flight_max = 100, .per_second = 10, .burst = 5}));
  world.resolve("a", images("registry.test/app", 30));
  EXPECT_EQ(world.running().size(), 5U);
  world.advance(seconds(1));
  EXPECT_EQ(world.running().size(), 14U);
  world.advance(seconds(1));
  EXPECT_EQ(world.running().size(), 24U);
}

TEST(RegistryLimits, ALookupThatNobodyWantsAnyMoreGivesItsTurnAway) {
  CoreWorld world(limited({.in_flight_max = 1}));
  world.resolve("a", {"registry.test/a"});
  world.resolve("b", {"registry.test/b"});
  world.resolve("c", {"registry.test/c"});
  world.forget("b");
  world.forget("a");
  EXPECT_EQ(world.running(), Names{"registry.test/c:latest"});
}

TEST(RegistryLimits, WhatIsRememberedOfARegistryEnds) {
  CoreWorld world(limited({.breaker_pause_max = seconds(300)}));
  world.resolve("a", {"registry.test/a"});
  world.fail("registry.test/a", ErrorCode::kUnavailable);
  world.forget("a");
  EXPECT_EQ(world.status().registries.size(), 1U);
  world.advance(seconds(300));
  EXPECT_TRUE(world.status().registries.empty());
  EXPECT_TRUE(world.core().empty());
}

}  // namespace
}  // namespace windlass::resolver

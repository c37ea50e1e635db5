#include "registry_gate.h"

#include <gtest/gtest.h>

namespace windlass::resolver {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimePoint kStart = TimePoint{} + std::chrono::hours(1);

Error unavailable() { return {.code = ErrorCode::kUnavailable, .message = "connection refused"}; }

Error throttled(std::optional<Duration> retry_after) {
  return {.code = ErrorCode::kThrottled, .message = "slow down", .retry_after = retry_after};
}

void fail_times(RegistryGate& gate, int times, TimePoint now) {
  for (int i = 0; i < times; ++i) {
    gate.admit(now);
    gate.end_failed(now, unavailable());
  }
}

// How many it lets through at once. Leaves it as it was.
int room_of(RegistryGate& gate, TimePoint now) {
  int room = 0;
  for (; gate.admits(now); ++room) gate.admit(now);
  for (int i = 0; i < room; ++i) gate.abandon();
  return room;
}

TEST(RegistryGate, AdmitsUpToItsLimit) {
  RegistryGate gate({.in_flight_max = 2});
  gate.admit(kStart);
  EXPECT_TRUE(gate.admits(kStart));
  gate.admit(kStart);
  EXPECT_FALSE(gate.admits(kStart));
  gate.end_answered();
  EXPECT_TRUE(gate.admits(kStart));
  gate.admit(kStart);
  gate.abandon();
  EXPECT_TRUE(gate.admits(kStart));
}

TEST(RegistryGate, ABurstThenOneTokenATime) {
  RegistryGate gate({.in_flight_max = 100, .per_second = 10, .burst = 3});
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(gate.admits(kStart));
    gate.admit(kStart);
  }
  EXPECT_FALSE(gate.admits(kStart));
  EXPECT_LE(gate.opens_at(kStart) - kStart, milliseconds(101));
  EXPECT_FALSE(gate.admits(kStart + milliseconds(99)));
  EXPECT_TRUE(gate.admits(gate.opens_at(kStart)));
}

TEST(RegistryGate, ATryThatWasNeverMadeGivesItsTokenBack) {
  RegistryGate gate({.per_second = 1, .burst = 1});
  gate.admit(kStart);
  EXPECT_FALSE(gate.admits(kStart));
  gate.withdraw(kStart);
  EXPECT_TRUE(gate.admits(kStart));
}

TEST(RegistryGate, TokensNeverExceedTheBurst) {
  RegistryGate gate({.in_flight_max = 100, .per_second = 100, .burst = 2});
  const TimePoint later = kStart + std::chrono::hours(1);
  gate.admit(later);
  gate.admit(later);
  EXPECT_FALSE(gate.admits(later));
}

TEST(RegistryGate, StaysAwayAsLongAsTheRegistryAsks) {
  RegistryGate gate({});
  gate.admit(kStart);
  gate.end_failed(kStart, throttled(seconds(3)));
  EXPECT_EQ(gate.opens_at(kStart), kStart + seconds(3));
  EXPECT_EQ(gate.cause()->message, "slow down");
  EXPECT_FALSE(gate.tripped());
}

TEST(RegistryGate, StaysAwayNoLongerThanADay) {
  RegistryGate gate({});
  gate.admit(kStart);
  gate.end_failed(kStart, throttled(seconds(4'294'967'295)));
  EXPECT_EQ(gate.opens_at(kStart), kStart + std::chrono::hours(24));
  EXPECT_EQ(gate.forgettable_at(), kStart + std::chrono::hours(24));
}

TEST(RegistryGate, AnAnswerUnderWayDoesNotEndThePauseThatWasAskedFor) {
  RegistryGate gate({});
  gate.admit(kStart);
  gate.admit(kStart);
  gate.end_failed(kStart, throttled(seconds(3)));
  gate.end_answered();
  EXPECT_EQ(gate.opens_at(kStart), kStart + seconds(3));
}

TEST(RegistryGate, AShorterPauseDoesNotCutALongerOne) {
  RegistryGate gate({});
  gate.admit(kStart);
  gate.admit(kStart);
  gate.end_failed(kStart, throttled(seconds(30)));
  gate.end_failed(kStart, throttled(seconds(3)));
  EXPECT_EQ(gate.opens_at(kStart), kStart + seconds(30));
}

TEST(RegistryGate, BeingThrottledWithoutATimeDoublesThePauseUpToItsMaximum) {
  RegistryGate gate(
      {.breaker_failures = 1, .breaker_pause_max = seconds(5), .throttle_pause = seconds(1)});
  TimePoint now = kStart;
  for (const int pause : {1, 2, 4, 5, 5}) {
    gate.admit(now);
    gate.end_failed(now, throttled(std::nullopt));
    EXPECT_EQ(gate.opens_at(now), now + seconds(pause));
    EXPECT_FALSE(gate.tripped());
    now += seconds(pause);
  }
  gate.admit(now);
  gate.end_answered();
  gate.admit(now);
  gate.end_failed(now, throttled(std::nullopt));
  EXPECT_EQ(gate.opens_at(now), now + seconds(1));
}

TEST(RegistryGate, ThoseUnderWayWhenItWasThrottledDoNotLengthenThePause) {
  RegistryGate gate({.in_flight_max = 8, .throttle_pause = seconds(1)});
  for (int i = 0; i < 8; ++i) gate.admit(kStart);
  for (int i = 0; i < 8; ++i) gate.end_failed(kStart + milliseconds(i), throttled(std::nullopt));
  EXPECT_EQ(gate.opens_at(kStart), kStart + seconds(1));
  EXPECT_EQ(room_of(gate, kStart + seconds(1)), 4);
}

TEST(RegistryGate, BeingThrottledHalvesTheRoomAndAnswersGiveItBack) {
  RegistryGate gate({.in_flight_max = 16});
  TimePoint now = kStart;
  for (const int room : {8, 4, 2, 1, 1}) {
    gate.admit(now);
    gate.end_failed(now, throttled(seconds(1)));
    now += seconds(1);
    EXPECT_EQ(room_of(gate, now), room);
  }
  int answers = 0;
  for (; room_of(gate, now) < 16; ++answers) {
    gate.admit(now);
    gate.end_answered();
  }
  // Each step of one takes about as many answers as there are tries at a time.
  EXPECT_GT(answers, 60);
  EXPECT_LT(answers, 160);
}

TEST(RegistryGate, FailuresInARowTripItAndAnswersInBetweenDoNot) {
  RegistryGate gate({.breaker_failures = 3, .breaker_pause = seconds(5)});
  fail_times(gate, 2, kStart);
  gate.admit(kStart);
  gate.end_answered();
  fail_times(gate, 2, kStart);
  EXPECT_FALSE(gate.tripped());
  fail_times(gate, 1, kStart);
  EXPECT_TRUE(gate.tripped());
  EXPECT_EQ(gate.opens_at(kStart), kStart + seconds(5));
}

TEST(RegistryGate, OneThatFailsIsAskedNoMoreThanItTakesToTripIt) {
  RegistryGate gate({.in_flight_max = 16, .breaker_failures = 10});
  EXPECT_EQ(room_of(gate, kStart), 16);
  for (int i = 0; i < 16; ++i) gate.admit(kStart);
  for (int failures = 1; failures < 10; ++failures) {
    gate.end_failed(kStart, unavailable());
    EXPECT_FALSE(gate.admits(kStart)) << failures;
  }
  for (int i = 9; i < 16; ++i) gate.abandon();
  EXPECT_EQ(room_of(gate, kStart), 1);
  gate.admit(kStart);
  gate.end_answered();
  EXPECT_EQ(room_of(gate, kStart), 16);
}

TEST(RegistryGate, OneProbeThenTheOthers) {
  RegistryGate gate({.in_flight_max = 4, .breaker_failures = 1, .breaker_pause = seconds(5)});
  fail_times(gate, 1, kStart);
  const TimePoint open = kStart + seconds(5);
  EXPECT_TRUE(gate.admits(open));
  gate.admit(open);
  EXPECT_FALSE(gate.admits(open));
  gate.end_answered();
  EXPECT_FALSE(gate.tripped());
  gate.admit(open);
  EXPECT_TRUE(gate.admits(open));
}

TEST(RegistryGate, EachFailedProbeDoublesThePauseUpToItsMaximum) {
  RegistryGate gate(
      {.breaker_failures = 1, .breaker_pause = seconds(5), .breaker_pause_max = seconds(15)});
  TimePoint now = kStart;
  for (const int pause : {5, 10, 15, 15}) {
    fail_times(gate, 1, now);
    EXPECT_EQ(gate.opens_at(now), now + seconds(pause));
    now += seconds(pause);
  }
}

TEST(RegistryGate, ThoseUnderWayWhenItTrippedDoNotLengthenThePause) {
  RegistryGate gate({.in_flight_max = 8, .breaker_failures = 2, .breaker_pause = seconds(5)});
  for (int i = 0; i < 8; ++i) gate.admit(kStart);
  for (int i = 0; i < 8; ++i) gate.end_failed(kStart, unavailable());
  EXPECT_EQ(gate.opens_at(kStart), kStart + seconds(5));
}

TEST(RegistryGate, ZeroFailuresMeansNoBreaker) {
  RegistryGate gate({.breaker_failures = 0});
  fail_times(gate, 1000, kStart);
  EXPECT_TRUE(gate.admits(kStart));
}

TEST(RegistryGate, IsForgettableOnceNothingItSawMattersAnyMore) {
  RegistryGate fresh({});
  EXPECT_LE(fresh.forgettable_at(), kStart);
  RegistryGate failed({.breaker_pause_max = minutes(5)});
  fail_times(failed, 1, kStart);
  EXPECT_EQ(failed.forgettable_at(), kStart + minutes(5));
  RegistryGate throttled_once({.breaker_pause_max = minutes(5)});
  throttled_once.admit(kStart);
  throttled_once.end_failed(kStart, throttled(seconds(1)));
  EXPECT_EQ(throttled_once.forgettable_at(), kStart + minutes(5));
  RegistryGate spent({.per_second = 1, .burst = 30});
  spent.admit(kStart);
  EXPECT_EQ(spent.forgettable_at(), kStart + seconds(30));
}

}  // namespace
}  // namespace windlass::resolver

#include "windlass/base/clock.h"

#include <gtest/gtest.h>

#include <thread>

#include "windlass/base/testing/fake_clock.h"

namespace windlass {
namespace {

using namespace std::chrono_literals;

struct Waiter {
  Mutex mutex;
  CondVar condition;
  bool ready = false;
};

TEST(FakeClock, WakesASleeperWhenItsDeadlineComesAndNotBefore) {
  FakeClock clock;
  const TimePoint deadline = clock.now() + 10s;
  std::jthread sleeper(
      [&](const std::stop_token& stop) { EXPECT_TRUE(clock.sleep_until(deadline, stop)); });
  clock.await_sleepers(1);
  EXPECT_EQ(clock.next_deadline(), deadline);
  clock.advance(9s);
  clock.await_sleepers(1);
  clock.advance(1s);
  sleeper.join();
  EXPECT_EQ(clock.next_deadline(), TimePoint::max());
}

TEST(FakeClock, NotificationWakesASleeperWithoutTimeMoving) {
  FakeClock clock;
  Waiter waiter;
  std::jthread sleeper([&](const std::stop_token& stop) {
    MutexLock lock(waiter.mutex);
    EXPECT_TRUE(clock.wait(waiter.mutex, waiter.condition, stop, [&] { return waiter.ready; }));
  });
  clock.await_sleepers(1);
  {
    MutexLock lock(waiter.mutex);
    waiter.ready = true;
  }
  waiter.condition.notify_one();
}

TEST(FakeClock, NoWakeUpIsLostBetweenCheckAndSleep) {
  // Many short races between a sleeper that is about to sleep and the time moving: a lost one would
  // hang.
  FakeClock clock;
  for (int i = 0; i < 2000; ++i) {
    const TimePoint deadline = clock.now() + 1ms;
    std::jthread sleeper([&](const std::stop_token& stop) { clock.sleep_until(deadline, stop); });
    clock.advance(1ms);
  }
}

template <class Await>
void expect_stop_ends_every_wait(Clock& clock, Await await_asleep) {
  std::stop_source source;
  Waiter waiter;
  std::jthread sleeper(
      [&] { EXPECT_FALSE(clock.sleep_until(TimePoint::max(), source.get_token())); });
  std::jthread waiting([&] {
    MutexLock lock(waiter.mutex);
    EXPECT_FALSE(
        clock.wait(waiter.mutex, waiter.condition, source.get_token(), [] { return false; }));
  });
  await_asleep();
  source.request_stop();
}

TEST(FakeClock, StopEndsEveryWait) {
  FakeClock clock;
  expect_stop_ends_every_wait(clock, [&] { clock.await_sleepers(2); });
}

TEST(SystemClock, StopEndsEveryWait) {
  expect_stop_ends_every_wait(system_clock(), [] {});
}

TEST(FakeClock, TheTimeOfDayMovesWithIt) {
  FakeClock clock;
  EXPECT_EQ(to_rfc3339(clock.wall_now()), "2026-01-02T03:04:05.000000Z");
  clock.advance(1500ms);
  EXPECT_EQ(to_rfc3339(clock.wall_now()), "2026-01-02T03:04:06.500000Z");
}

TEST(SystemClock, ADeadlineThatHasPassedReturnsAtOnce) {
  Waiter waiter;
  MutexLock lock(waiter.mutex);
  EXPECT_FALSE(system_clock().wait_until(waiter.mutex, waiter.condition, system_clock().now() - 1s,
                                         {}, [] { return false; }));
  EXPECT_TRUE(system_clock().sleep_until(system_clock().now() + 1ms, {}));
}

}  // namespace
}  // namespace windlass

#include "timers.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "windlass/base/testing/fake_clock.h"

namespace windlass::registry {
namespace {

using std::chrono::seconds;

Detached record_wake_up(Timers& timers, TimePoint due, std::stop_token stop, int& woken) {
  Task<bool> sleep = timers.pause_until(due, std::move(stop));
  co_await sleep;
  ++woken;
}

TEST(Timers, FireInOrderOfTime) {
  Timers timers;
  std::string order;
  const TimePoint start{};
  timers.add(timers.next_id(), start + seconds(2), {}, [&] { order += "b"; });
  timers.add(timers.next_id(), start + seconds(1), {}, [&] { order += "a"; });
  timers.add(timers.next_id(), start + seconds(2), {}, [&] { order += "c"; });
  timers.add(timers.next_id(), start + seconds(3), {}, [&] { order += "d"; });
  EXPECT_EQ(timers.next_due(), start + seconds(1));
  EXPECT_EQ(timers.fire_due(start), 0U);
  EXPECT_EQ(timers.fire_due(start + seconds(2)), 3U);
  EXPECT_EQ(order, "abc");
}

TEST(Timers, CancelledOnesNeverFire) {
  Timers timers;
  const Timers::Id id = timers.next_id();
  timers.add(id, TimePoint{}, {}, [] { FAIL(); });
  timers.cancel(id);
  timers.cancel(id);
  EXPECT_EQ(timers.fire_due(TimePoint::max()), 0U);
  EXPECT_EQ(timers.next_due(), TimePoint::max());
}

TEST(Timers, StopWakesASleeper) {
  Timers timers;
  std::stop_source stop;
  int woken = 0;
  record_wake_up(timers, TimePoint{} + seconds(100), stop.get_token(), woken);
  EXPECT_EQ(timers.fire_due(TimePoint{}), 0U);
  stop.request_stop();
  EXPECT_EQ(timers.fire_due(TimePoint{}), 1U);
  EXPECT_EQ(woken, 1);

  record_wake_up(timers, TimePoint{} + seconds(100), stop.get_token(), woken);
  EXPECT_EQ(timers.fire_due(TimePoint{}), 1U);
  EXPECT_EQ(woken, 2);
}

TEST(Timers, LoopSleepsUntilTheNextAndNoticesAnEarlierOne) {
  FakeClock clock;
  Timers timers;
  std::jthread loop([&](const std::stop_token& stop) { timers.run(clock, stop); });
  clock.await_sleepers(1);
  std::latch late(1);
  std::latch early(1);
  timers.add(timers.next_id(), clock.now() + seconds(10), {}, [&] { late.count_down(); });
  timers.add(timers.next_id(), clock.now() + seconds(5), {}, [&] { early.count_down(); });
  clock.advance(seconds(5));
  early.wait();
  EXPECT_FALSE(late.try_wait());
  clock.advance(seconds(5));
  late.wait();
}

}  // namespace
}  // namespace windlass::registry

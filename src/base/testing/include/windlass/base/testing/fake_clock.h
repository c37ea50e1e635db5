// FakeClock: time that stands still until a test moves it.
//
// `await_sleepers(n)` tells a test that n threads wait for time or a notification, so that it can
// move the time knowing that nobody misses it: no polling and no real sleeping in tests.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "windlass/base/clock.h"

namespace windlass {

class FakeClock final : public Clock {
 public:
  // Starts at an arbitrary time that is not zero.
  FakeClock();
  ~FakeClock() override;

  TimePoint now() const override;

  // 2026-01-02T03:04:05Z when the clock is made, and moving with now().
  WallTime wall_now() const override;

  // Moves the time and wakes the threads whose deadline has come. `by` >= 0.
  void advance(Duration by);

  // Moves to `when` unless that is in the past.
  void advance_to(TimePoint when);

  // Blocks until at least `count` threads wait in this clock, with or without a deadline.
  void await_sleepers(std::size_t count);

  // The earliest deadline anybody waits for; TimePoint::max() when nobody does.
  TimePoint next_deadline() const;

 private:
  struct Sleeper {
    CondVar* condition;
    TimePoint deadline;
  };

  void wait_once(Mutex& mutex, CondVar& condition, TimePoint deadline,
                 const std::stop_token& stop) override REQUIRES(mutex);

  mutable Mutex mutex_;
  TimePoint now_ GUARDED_BY(mutex_);
  std::vector<const Sleeper*> sleepers_ GUARDED_BY(mutex_);
  std::condition_variable_any sleepers_changed_;
};

}  // namespace windlass

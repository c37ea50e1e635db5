// Clock: what time it is, and the one way to wait.
//
// Everything timed takes a Clock& so that a test can move the time itself
// (windlass/base/testing/fake_clock.h).
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <stop_token>
#include <utility>

#include "windlass/base/mutex.h"
#include "windlass/base/time.h"

namespace windlass {

class Clock {
 public:
  virtual ~Clock() = default;

  virtual TimePoint now() const = 0;

  // The time of day, for log lines, spans and other machines.
  virtual WallTime wall_now() const;

  // Waits on `condition` until `ready()` holds, `deadline` has come, or `stop` is requested;
  // returns what `ready()` says then. `mutex` is released while waiting and held whenever `ready`
  // is called. Whoever makes `ready` true does so with `mutex` held and notifies `condition`. A
  // deadline of TimePoint::max() is none.
  template <class Predicate>
  bool wait_until(Mutex& mutex, CondVar& condition, TimePoint deadline, const std::stop_token& stop,
                  Predicate ready) REQUIRES(mutex) {
    while (!ready()) {
      if (stop.stop_requested() || (deadline != TimePoint::max() && now() >= deadline))
        return ready();
      wait_once(mutex, condition, deadline, stop);
    }
    return true;
  }

  template <class Predicate>
  bool wait(Mutex& mutex, CondVar& condition, const std::stop_token& stop, Predicate ready)
      REQUIRES(mutex) {
    return wait_until(mutex, condition, TimePoint::max(), stop, std::move(ready));
  }

  // Sleeps until `deadline` or until `stop` is requested. True when the whole time has passed.
  bool sleep_until(TimePoint deadline, const std::stop_token& stop);

 private:
  // Waits for at most one wake-up: a notification, the deadline, a stop request, or none of these
  // (spurious).
  virtual void wait_once(Mutex& mutex, CondVar& condition, TimePoint deadline,
                         const std::stop_token& stop) REQUIRES(mutex) = 0;
};

// The machine's steady clock. One object for the process: it has no state.
Clock& system_clock();

}  // namespace windlass

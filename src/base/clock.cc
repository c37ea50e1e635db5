#include "windlass/base/clock.h"

namespace windlass {

WallTime Clock::wall_now() const { return std::chrono::system_clock::now(); }

bool Clock::sleep_until(TimePoint deadline, const std::stop_token& stop) {
  Mutex mutex;
  CondVar nobody_notifies;
  MutexLock lock(mutex);
  wait_until(mutex, nobody_notifies, deadline, stop, [] { return false; });
  return !stop.stop_requested() || now() >= deadline;
}

namespace {

class SystemClock final : public Clock {
 public:
  TimePoint now() const override { return std::chrono::steady_clock::now(); }

 private:
  void wait_once(Mutex& mutex, CondVar& condition, TimePoint deadline,
                 const std::stop_token& stop) override REQUIRES(mutex) {
    // The library re-checks its predicate after each wake-up; this one lets exactly one happen.
    bool woken = false;
    auto once = [&woken] { return std::exchange(woken, true); };
    if (deadline == TimePoint::max()) {
      condition.native().wait(mutex, stop, once);
    } else {
      condition.native().wait_until(mutex, stop, deadline, once);
    }
  }
};

}  // namespace

Clock& system_clock() {
  static SystemClock clock;
  return clock;
}

}  // namespace windlass

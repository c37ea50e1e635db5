#include "windlass/base/testing/fake_clock.h"

#include <algorithm>

#include "windlass/base/check.h"

namespace windlass {
namespace {

// Releases both mutexes when the condition variable goes to sleep. A sleeper thus holds the clock's
// mutex until it can be notified, and advance(), which holds it while notifying, cannot come
// between a sleeper's check and its sleep.
class BothLocks {
 public:
  BothLocks(Mutex& users, Mutex& clocks) : users_(users), clocks_(clocks) {}

  void lock() NO_THREAD_SAFETY_ANALYSIS {
    users_.lock();
    clocks_.lock();
  }
  void unlock() NO_THREAD_SAFETY_ANALYSIS {
    clocks_.unlock();
    users_.unlock();
  }

 private:
  Mutex& users_;
  Mutex& clocks_;
};

constexpr TimePoint kStart = TimePoint{} + std::chrono::hours(1000);

}  // namespace

FakeClock::FakeClock() : now_(kStart) {}

FakeClock::~FakeClock() {
  MutexLock lock(mutex_);
  WINDLASS_CHECK(sleepers_.empty());
}

TimePoint FakeClock::now() const {
  MutexLock lock(mutex_);
  return now_;
}

WallTime FakeClock::wall_now() const {
  using namespace std::chrono;
  return sys_days(2026y / January / 2) + hours(3) + minutes(4) + seconds(5) + (now() - kStart);
}

void FakeClock::advance(Duration by) { advance_to(saturating_add(now(), by)); }

void FakeClock::advance_to(TimePoint when) {
  MutexLock lock(mutex_);
  now_ = std::max(now_, when);
  for (const Sleeper* sleeper : sleepers_) {
    if (sleeper->deadline <= now_) sleeper->condition->notify_all();
  }
}

void FakeClock::await_sleepers(std::size_t count) {
  MutexLock lock(mutex_);
  while (sleepers_.size() < count) sleepers_changed_.wait(mutex_);
}

TimePoint FakeClock::next_deadline() const {
  MutexLock lock(mutex_);
  TimePoint earliest = TimePoint::max();
  for (const Sleeper* sleeper : sleepers_) earliest = std::min(earliest, sleeper->deadline);
  return earliest;
}

void FakeClock::wait_once(Mutex& mutex, CondVar& condition, TimePoint deadline,
                          const std::stop_token& stop) {
  const Sleeper sleeper{&condition, deadline};
  MutexLock lock(mutex_);
  if (deadline <= now_) return;
  sleepers_.push_back(&sleeper);
  sleepers_changed_.notify_all();
  bool woken = false;
  BothLocks both(mutex, mutex_);
  condition.native().wait(both, stop, [&woken] { return std::exchange(woken, true); });
  std::erase(sleepers_, &sleeper);
}

}  // namespace windlass

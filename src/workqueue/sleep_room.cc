#include "windlass/workqueue/detail/sleep_room.h"

namespace windlass::workqueue::detail {

void SleepRoom::wake(std::size_t sleepers) {
  {
    MutexLock lock(mutex_);
    wakes_ += sleepers;
  }
  for (; sleepers > 0; --sleepers) condition_.notify_one();
}

void SleepRoom::wake_all() {
  MutexLock lock(mutex_);
  ++epoch_;
  condition_.notify_all();
}

std::uint64_t SleepRoom::epoch() const {
  MutexLock lock(mutex_);
  return epoch_;
}

bool SleepRoom::sleep(Clock& clock, std::uint64_t epoch, TimePoint deadline,
                      const std::stop_token& stop) {
  MutexLock lock(mutex_);
  clock.wait_until(mutex_, condition_, deadline, stop, [this, epoch] {
    mutex_.assert_held();
    return wakes_ > 0 || epoch_ != epoch;
  });
  if (wakes_ == 0) return false;
  --wakes_;
  return true;
}

}  // namespace windlass::workqueue::detail

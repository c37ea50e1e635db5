// SleepRoom: where threads sleep until they are told that it is worth looking again.
//
// It only wakes: what there is to see is the owner's, behind the owner's lock. A wake-up that finds
// nobody asleep is kept for the next who comes, so none is lost and some come for nothing.
//
// Thread safety: all members may be called from any thread, with or without the owner's lock held;
// the room's own lock is a leaf below it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>

#include "windlass/base/clock.h"
#include "windlass/base/mutex.h"
#include "windlass/base/time.h"

namespace windlass::workqueue::detail {

class SleepRoom {
 public:
  void wake(std::size_t sleepers) EXCLUDES(mutex_);
  void wake_all() EXCLUDES(mutex_);

  // Grows with each wake_all(). Read it with the owner's lock held, before looking.
  std::uint64_t epoch() const EXCLUDES(mutex_);

  // Sleeps until woken, until a wake_all() later than `epoch`, the deadline, or a stop request.
  // True when it used up one of the wake-ups of wake().
  bool sleep(Clock& clock, std::uint64_t epoch, TimePoint deadline, const std::stop_token& stop)
      EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  CondVar condition_;
  std::size_t wakes_ GUARDED_BY(mutex_) = 0;
  std::uint64_t epoch_ GUARDED_BY(mutex_) = 0;
};

}  // namespace windlass::workqueue::detail

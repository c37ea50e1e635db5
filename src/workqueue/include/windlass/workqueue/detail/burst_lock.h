// BurstLock: the lock of a queue that many threads hammer for a few nanoseconds each.
//
// A thread that finds it taken stays away for about a microsecond before it looks again, so the
// holder goes on with everything in its own cache. Handing a lock from core to core costs more
// than the calls it protects: a fair lock is several times slower here. After some rounds a thread
// sleeps, so that a holder that lost its core gets it back. A thread that has slept a few times in
// vain is starving, and is handed the lock: no thread waits for ever.
//
// Thread safety: that of a mutex. No waiting for conditions: see SharedQueue.
#pragma once

#include <atomic>
#include <cstdint>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#include "windlass/base/mutex.h"

namespace windlass::workqueue::detail {

// True only while the process has one thread; the C library's own mutexes look at this too.
inline bool one_thread() {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded != 0;
#else
  return false;
#endif
}

class CAPABILITY("mutex") BurstLock {
 public:
  BurstLock() = default;
  BurstLock(const BurstLock&) = delete;
  BurstLock& operator=(const BurstLock&) = delete;

  void lock() ACQUIRE() {
    std::uint32_t expected = kFree;
    if (one_thread()) {
      state_.store(kHeld, std::memory_order_relaxed);
    } else if (!state_.compare_exchange_strong(expected, kHeld, std::memory_order_acquire,
                                               std::memory_order_relaxed)) {
      lock_contended();
    }
  }

  void unlock() RELEASE() {
    std::uint32_t expected = kHeld;
    if (one_thread()) {
      state_.store(kFree, std::memory_order_relaxed);
    } else if (!state_.compare_exchange_strong(expected, kFree, std::memory_order_release,
                                               std::memory_order_relaxed)) {
      unlock_contended();
    }
  }

  // Tells the analysis, at no cost, that the caller holds this lock.
  void assert_held() const ASSERT_CAPABILITY(this) {}

 private:
  static constexpr std::uint32_t kFree = 0;
  static constexpr std::uint32_t kHeld = 1;
  static constexpr std::uint32_t kHeldAndSleepers = 2;
  static constexpr std::uint32_t kHeldAndStarving = 3;  // to be handed over

  void lock_contended();
  bool watch(std::uint32_t taken);
  bool sleep_or_take();
  void wait_for_turn();
  void unlock_contended();

  std::atomic<std::uint32_t> state_ = kFree;
  std::atomic<std::uint32_t> turn_ = 0;  // 1: the starving thread holds the lock
  Mutex starving_;                       // held by the one thread that the lock is handed to
};

// Holds a BurstLock for a scope. May be released early and taken again.
class SCOPED_CAPABILITY BurstGuard {
 public:
  explicit BurstGuard(BurstLock& lock) ACQUIRE(lock) : lock_(lock) { lock_.lock(); }
  ~BurstGuard() RELEASE() {
    if (held_) lock_.unlock();
  }
  BurstGuard(const BurstGuard&) = delete;
  BurstGuard& operator=(const BurstGuard&) = delete;

  void unlock() RELEASE() {
    held_ = false;
    lock_.unlock();
  }
  void lock() ACQUIRE() {
    lock_.lock();
    held_ = true;
  }

 private:
  BurstLock& lock_;
  bool held_ = true;
};

}  // namespace windlass::workqueue::detail

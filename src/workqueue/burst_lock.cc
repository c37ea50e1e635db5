#include "windlass/workqueue/detail/burst_lock.h"

namespace windlass::workqueue::detail {
namespace {

// Measured with four producers and four consumers on two cores: shorter absences hand the lock
// from core to core too often, longer ones leave it free too long.
constexpr int kPausesPerRound = 64;
constexpr int kRounds = 40;

// A thread that has slept so often without getting the lock is starving. Handing it over sooner
// makes a convoy of threads that could do without; it costs a switch of threads each time.
constexpr int kSleepsMost = 4;

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#else
  std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
}

}  // namespace

void BurstLock::lock_contended() {
  if (watch(kHeld)) return;
  // Who has slept cannot know whether others still do, so it takes the lock with the mark on.
  for (int sleeps = 0; sleeps < kSleepsMost; ++sleeps) {
    if (sleep_or_take() || watch(kHeldAndSleepers)) return;
  }
  wait_for_turn();
}

// True when it took the lock, which then is `taken`.
bool BurstLock::watch(std::uint32_t taken) {
  for (int round = 0; round < kRounds; ++round) {
    for (int pause = 0; pause < kPausesPerRound; ++pause) relax();
    std::uint32_t expected = kFree;
    if (state_.load(std::memory_order_relaxed) == kFree &&
        state_.compare_exchange_strong(expected, taken, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

// Sleeps until somebody unlocks. True when it took the lock instead.
bool BurstLock::sleep_or_take() {
  std::uint32_t seen = state_.load(std::memory_order_relaxed);
  while (seen == kFree || seen == kHeld) {
    if (!state_.compare_exchange_weak(seen, kHeldAndSleepers, std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
      continue;
    }
    if (seen == kFree) return true;
    seen = kHeldAndSleepers;
  }
  state_.wait(seen, std::memory_order_relaxed);
  return false;
}

// One starving thread at a time asks for the lock; `turn_` is its own word, so that no other
// sleeper takes its wake-up.
void BurstLock::wait_for_turn() {
  const MutexLock only_one(starving_);
  std::uint32_t seen = state_.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint32_t wanted = seen == kFree ? kHeldAndSleepers : kHeldAndStarving;
    if (state_.compare_exchange_weak(seen, wanted, std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
      break;
    }
  }
  if (seen == kFree) return;
  turn_.wait(0, std::memory_order_acquire);
  turn_.store(0, std::memory_order_relaxed);
}

void BurstLock::unlock_contended() {
  std::uint32_t seen = state_.load(std::memory_order_relaxed);
  while (seen != kHeldAndStarving) {
    if (!state_.compare_exchange_weak(seen, kFree, std::memory_order_release,
                                      std::memory_order_relaxed)) {
      continue;
    }
    if (seen == kHeldAndSleepers) state_.notify_one();
    return;
  }
  // The lock stays held: it changes hands. From the store on it may be gone; to notify takes its
  // address only.
  state_.store(kHeldAndSleepers, std::memory_order_relaxed);
  turn_.store(1, std::memory_order_release);
  turn_.notify_one();
}

}  // namespace windlass::workqueue::detail

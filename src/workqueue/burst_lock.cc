#include "windlass/workqueue/detail/burst_lock.h"

namespace windlass::workqueue::detail {
namespace {

// Measured with four producers and four consumers on two cores: shorter absences hand the lock
// from core to core too often, longer ones leave it free too long.
constexpr int kPausesPerRound = 64;
constexpr int kRounds = 40;

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
  // Who has slept cannot know whether others still do, so it takes the lock with the mark on.
  std::uint32_t mark = kHeld;
  for (;;) {
    for (int round = 0; round < kRounds; ++round) {
      for (int pause = 0; pause < kPausesPerRound; ++pause) relax();
      std::uint32_t expected = kFree;
      if (state_.load(std::memory_order_relaxed) == kFree &&
          state_.compare_exchange_strong(expected, mark, std::memory_order_acquire,
                                         std::memory_order_relaxed)) {
        return;
      }
    }
    mark = kHeldAndSleepers;
    if (state_.exchange(mark, std::memory_order_acquire) == kFree) return;
    state_.wait(mark, std::memory_order_relaxed);
  }
}

}  // namespace windlass::workqueue::detail

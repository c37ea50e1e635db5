#include "windlass/workqueue/detail/burst_lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace windlass::workqueue::detail {
namespace {

// Each of `threads` takes the lock `rounds` times and gives up its core every `every` times that it
// holds it, so that others go to sleep on the lock and starve. Returns what they counted.
long long count_under(BurstLock& lock, int threads, int rounds, int every) {
  long long unguarded = 0;
  {
    std::vector<std::jthread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&] {
        for (int i = 0; i < rounds; ++i) {
          BurstGuard guard(lock);
          unguarded = unguarded + 1;
          if (i % every == 0) std::this_thread::yield();
        }
      });
    }
  }
  return unguarded;
}

TEST(BurstLock, LetsOneThreadInAtATimeAndEveryThreadInTheEnd) {
  BurstLock lock;
  EXPECT_EQ(count_under(lock, 8, 20'000, 1000), 8 * 20'000);
}

TEST(BurstLock, LetsOneThreadInAtATimeWhileItIsHandedOver) {
  BurstLock lock;
  EXPECT_EQ(count_under(lock, 8, 200, 1), 8 * 200);
}

TEST(BurstGuard, MayBeReleasedEarlyAndTakenAgain) {
  BurstLock lock;
  BurstGuard guard(lock);
  guard.unlock();
  {
    BurstGuard inner(lock);
  }
  guard.lock();
}

}  // namespace
}  // namespace windlass::workqueue::detail

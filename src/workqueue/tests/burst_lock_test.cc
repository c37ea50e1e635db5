#include "windlass/workqueue/detail/burst_lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace windlass::workqueue::detail {
namespace {

// More threads than cores, so that holders lose their core and others go to sleep on the lock.
TEST(BurstLock, LetsOneThreadInAtATimeAndEveryThreadInTheEnd) {
  BurstLock lock;
  long long unguarded = 0;
  constexpr int kThreads = 8;
  constexpr int kRounds = 20'000;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < kRounds; ++i) {
          BurstGuard guard(lock);
          unguarded = unguarded + 1;
          if (i % 1000 == 0) std::this_thread::yield();  // holds it for long now and then
        }
      });
    }
  }
  EXPECT_EQ(unguarded, kThreads * kRounds);
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

#include "merge_limiter.h"

#include <gtest/gtest.h>

#include <thread>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/token_bucket.h"

namespace windlass::reconcile {
namespace {

using namespace std::chrono_literals;

MergeLimiter doubling() {
  return MergeLimiter(std::make_unique<workqueue::ExponentialBackoff<std::string>>(
      workqueue::ExponentialBackoffOptions{.base = 1s}));
}

TEST(MergeLimiter, AsksThatLedToSomethingGoThrough) {
  MergeLimiter limiter = doubling();
  EXPECT_EQ(limiter.next_delay("a"), 1s);
  EXPECT_EQ(limiter.next_delay("a"), 2s);
  EXPECT_EQ(limiter.next_delay("b"), 1s);
  EXPECT_EQ(limiter.num_requeues("a"), 2);
  EXPECT_EQ(limiter.num_requeues("unknown"), 0);
}

TEST(MergeLimiter, AnAskThatWasMergedIsTheNextOnesAnswer) {
  MergeLimiter limiter = doubling();
  limiter.next_delay("a");
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(limiter.next_delay("a"), 2s);
    limiter.give_back("a");
    EXPECT_EQ(limiter.num_requeues("a"), 1);
  }
  EXPECT_EQ(limiter.next_delay("a"), 2s);
  EXPECT_EQ(limiter.next_delay("a"), 4s);
  EXPECT_EQ(limiter.num_requeues("a"), 3);
}

TEST(MergeLimiter, ForgettingStartsOver) {
  MergeLimiter limiter = doubling();
  limiter.next_delay("a");
  limiter.next_delay("a");
  limiter.give_back("a");
  EXPECT_TRUE(limiter.forget("a"));
  EXPECT_FALSE(limiter.forget("a"));
  EXPECT_EQ(limiter.num_requeues("a"), 0);
  EXPECT_EQ(limiter.next_delay("a"), 1s);
}

TEST(MergeLimiter, ATokenIsGivenBackOnceForEachThatWasTaken) {
  FakeClock clock;
  MergeLimiter limiter(std::make_unique<workqueue::TokenBucket<std::string>>(
      clock, workqueue::TokenBucketOptions{.per_second = 1, .burst = 2}));
  EXPECT_EQ(limiter.next_delay("a"), 0s);  // the first of two tokens
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(limiter.next_delay("a"), 0s);
    limiter.give_back("a");
  }
  EXPECT_EQ(limiter.next_delay("b"), 0s);  // the second
  EXPECT_EQ(limiter.next_delay("c"), 1s);
}

TEST(MergeLimiter, AnAskThatIsUndoneLeavesWhatWasThereBefore) {
  MergeLimiter limiter = doubling();
  limiter.next_delay("never tried");
  limiter.undo("never tried");
  EXPECT_FALSE(limiter.forget("never tried"));
  limiter.next_delay("a");
  limiter.next_delay("a");
  limiter.undo("a");
  EXPECT_EQ(limiter.num_requeues("a"), 1);
  EXPECT_EQ(limiter.next_delay("a"), 2s);
  limiter.give_back("a");  // the answer that the next one gets
  EXPECT_EQ(limiter.next_delay("a"), 2s);
  limiter.undo("a");
  EXPECT_EQ(limiter.num_requeues("a"), 1);
  EXPECT_EQ(limiter.next_delay("a"), 2s);
  EXPECT_EQ(limiter.next_delay("a"), 4s);
}

TEST(MergeLimiter, CountsNothingTwiceUnderManyThreads) {
  MergeLimiter limiter = doubling();
  limiter.next_delay("a");
  {
    const auto ask_in_vain = [&] {
      for (int i = 0; i < 1000; ++i) {
        limiter.next_delay("a");
        limiter.give_back("a");
      }
    };
    const std::jthread one(ask_in_vain);
    const std::jthread two(ask_in_vain);
  }
  EXPECT_EQ(limiter.num_requeues("a"), 1);
  EXPECT_TRUE(limiter.forget("a"));
}

}  // namespace
}  // namespace windlass::reconcile

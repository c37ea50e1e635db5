#include "windlass/workqueue/max_of.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/token_bucket.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;
using Limiter = RateLimiter<std::string>;

TEST(MaxOf, AnswersTheLongestAndAdvancesAll) {
  FakeClock clock;
  std::vector<std::unique_ptr<Limiter>> limiters;
  limiters.push_back(std::make_unique<ExponentialBackoff<std::string>>(
      ExponentialBackoffOptions{.base = 1ms, .max = 1s}));
  limiters.push_back(std::make_unique<TokenBucket<std::string>>(
      clock, TokenBucketOptions{.per_second = 100, .burst = 2}));
  MaxOf<std::string> limiter(std::move(limiters));
  EXPECT_EQ(limiter.next_delay("a"), 1ms);
  EXPECT_EQ(limiter.next_delay("a"), 2ms);
  EXPECT_EQ(limiter.next_delay("b"), 10ms);  // the bucket is empty
  EXPECT_EQ(limiter.num_requeues("a"), 2);
  limiter.give_back("b");
  EXPECT_EQ(limiter.next_delay("c"), 10ms);
  EXPECT_TRUE(limiter.forget("a"));
  EXPECT_FALSE(limiter.forget("a"));
  EXPECT_EQ(limiter.num_requeues("a"), 0);
}

TEST(MaxOf, OfNothingNeverWaits) {
  MaxOf<std::string> limiter({});
  EXPECT_EQ(limiter.next_delay("a"), 0ms);
  EXPECT_EQ(limiter.num_requeues("a"), 0);
}

}  // namespace
}  // namespace windlass::workqueue

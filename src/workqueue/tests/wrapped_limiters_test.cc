#include "windlass/workqueue/wrapped_limiters.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/token_bucket.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

std::unique_ptr<RateLimiter<std::string>> backoff(Duration base, Duration max) {
  return std::make_unique<ExponentialBackoff<std::string>>(
      ExponentialBackoffOptions{.base = base, .max = max});
}

TEST(WithMaxWait, CutsTheDelayAndKeepsTheCount) {
  WithMaxWait<std::string> limiter(backoff(1ms, 1h), 4ms);
  for (const Duration expected : {1ms, 2ms, 4ms, 4ms, 4ms}) {
    EXPECT_EQ(limiter.next_delay("a"), expected);
  }
  EXPECT_EQ(limiter.num_requeues("a"), 5);
  EXPECT_TRUE(limiter.forget("a"));
  EXPECT_EQ(limiter.next_delay("a"), 1ms);
}

TEST(WithMaxWait, PassesATokenBack) {
  FakeClock clock;
  WithMaxWait<std::string> limiter(std::make_unique<TokenBucket<std::string>>(
                                       clock, TokenBucketOptions{.per_second = 1, .burst = 1}),
                                   1h);
  limiter.next_delay("a");
  EXPECT_EQ(limiter.next_delay("a"), 1s);
  limiter.give_back("a");
  EXPECT_EQ(limiter.next_delay("a"), 1s);
}

TEST(Jittered, StaysWithinItsShareAndRepeatsWithItsSeed) {
  Jittered<std::string> one(backoff(1s, 1s), 0.5, Random(7));
  Jittered<std::string> same(backoff(1s, 1s), 0.5, Random(7));
  bool differs = false;
  for (int i = 0; i < 200; ++i) {
    const Duration delay = one.next_delay("a");
    EXPECT_GE(delay, 500ms);
    EXPECT_LE(delay, 1s);
    EXPECT_EQ(delay, same.next_delay("a"));
    differs = differs || delay != 1s;
  }
  EXPECT_TRUE(differs);
}

TEST(Jittered, OfNothingOrOfTheLongestDelayIsNeverNegative) {
  Jittered<std::string> none(backoff(0s, 1s), 1, Random(1));
  EXPECT_EQ(none.next_delay("a"), 0s);
  Jittered<std::string> longest(backoff(Duration::max(), Duration::max()), 1, Random(1));
  for (int i = 0; i < 100; ++i) EXPECT_GE(longest.next_delay("a"), 0s);
  Jittered<std::string> steady(backoff(5s, 5s), 0, Random(1));
  EXPECT_EQ(steady.next_delay("a"), 5s);
}

}  // namespace
}  // namespace windlass::workqueue

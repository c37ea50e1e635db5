#include "windlass/workqueue/token_bucket.h"

#include <gtest/gtest.h>

#include <string>

#include "windlass/base/testing/fake_clock.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

TEST(TokenBucket, LetsABurstThroughAndThenOneEachInterval) {
  FakeClock clock;
  TokenBucket<std::string> bucket(clock, {.per_second = 10, .burst = 3});
  for (const Duration expected : {0ms, 0ms, 0ms, 100ms, 200ms, 300ms}) {
    EXPECT_EQ(bucket.next_delay("any"), expected);
  }
  EXPECT_EQ(bucket.num_requeues("any"), 0);
  EXPECT_FALSE(bucket.forget("any"));
}

TEST(TokenBucket, FillsAgainWithTimeUpToItsBurst) {
  FakeClock clock;
  TokenBucket<std::string> bucket(clock, {.per_second = 10, .burst = 2});
  for (int i = 0; i < 5; ++i) bucket.next_delay("a");
  clock.advance(300ms);  // pays the debt of three
  EXPECT_EQ(bucket.next_delay("a"), 100ms);
  clock.advance(1h);
  EXPECT_EQ(bucket.next_delay("a"), 0ms);
  EXPECT_EQ(bucket.next_delay("a"), 0ms);
  EXPECT_EQ(bucket.next_delay("a"), 100ms);
}

TEST(TokenBucket, AGivenBackTokenServesTheNext) {
  FakeClock clock;
  TokenBucket<std::string> bucket(clock, {.per_second = 10, .burst = 1});
  EXPECT_EQ(bucket.next_delay("a"), 0ms);
  EXPECT_EQ(bucket.next_delay("a"), 100ms);
  bucket.give_back("a");
  EXPECT_EQ(bucket.next_delay("a"), 100ms);
}

TEST(TokenBucket, TokensGivenBackInExcessDoNotRaiseTheBurst) {
  FakeClock clock;
  TokenBucket<std::string> bucket(clock, {.per_second = 10, .burst = 1});
  for (int i = 0; i < 10; ++i) bucket.give_back("a");
  EXPECT_EQ(bucket.next_delay("a"), 0ms);
  EXPECT_EQ(bucket.next_delay("a"), 100ms);
}

TEST(Bucket, NeverAnswersANegativeDelayAtTheEndsOfItsOptions) {
  for (const TokenBucketOptions options :
       {TokenBucketOptions{1e-12, 1}, {1e-12, 1'000'000}, {1e9, 1}, {1e9, 2'000'000'000}}) {
    Bucket bucket(options);
    for (const TimePoint now : {TimePoint{}, TimePoint{} + 1h, TimePoint{} - 1h}) {
      for (int i = 0; i < 100; ++i) EXPECT_GE(bucket.reserve(now), 0ns);
    }
  }
}

}  // namespace
}  // namespace windlass::workqueue

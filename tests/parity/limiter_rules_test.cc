// The rules of client-go's limiters and of its parallelizer.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/default_limiters.h"
#include "windlass/workqueue/fast_then_slow.h"
#include "windlass/workqueue/max_of.h"
#include "windlass/workqueue/parallelize.h"
#include "windlass/workqueue/work_queue.h"
#include "windlass/workqueue/wrapped_limiters.h"

namespace windlass::parity {
namespace {

using namespace std::chrono_literals;
using workqueue::RateLimiter;
using Limiter = std::unique_ptr<RateLimiter<std::string>>;

Limiter backoff(Duration base, Duration max) {
  return std::make_unique<workqueue::ExponentialBackoff<std::string>>(
      workqueue::ExponentialBackoffOptions{.base = base, .max = max});
}
Limiter fast_slow(Duration fast, Duration slow, int tries) {
  return std::make_unique<workqueue::FastThenSlow<std::string>>(
      workqueue::FastThenSlowOptions{.fast = fast, .slow = slow, .fast_tries = tries});
}
Limiter max_of(Limiter a, Limiter b) {
  std::vector<Limiter> both;
  both.push_back(std::move(a));
  both.push_back(std::move(b));
  return std::make_unique<workqueue::MaxOf<std::string>>(std::move(both));
}

struct LimiterRule {
  const char* name;
  std::function<Limiter()> make;
  std::vector<Duration> delays;  // of one key
};

class LimiterRuleTest : public testing::TestWithParam<LimiterRule> {};

TEST_P(LimiterRuleTest, DelaysCountsAndStartsOver) {
  const LimiterRule& rule = GetParam();
  const Limiter limiter = rule.make();
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < rule.delays.size(); ++i) {
      EXPECT_EQ(limiter->next_delay("one"), rule.delays[i]) << "call " << i + 1;
      EXPECT_EQ(limiter->num_requeues("one"), static_cast<int>(i) + 1);
    }
    EXPECT_EQ(limiter->next_delay("other"), rule.delays[0]);
    limiter->forget("other");
    limiter->forget("one");
    EXPECT_EQ(limiter->num_requeues("one"), 0);
  }
}

const LimiterRule kLimiters[] = {
    {"Exponential", [] { return backoff(1ms, 1s); }, {1ms, 2ms, 4ms, 8ms, 16ms}},
    {"ExponentialReachesItsMaximum", [] { return backoff(300ms, 1s); }, {300ms, 600ms, 1s, 1s}},
    {"FastThenSlow", [] { return fast_slow(5ms, 10s, 3); }, {5ms, 5ms, 5ms, 10s, 10s}},
    {"MaxOfTakesTheLonger",
     [] { return max_of(fast_slow(5ms, 3s, 3), backoff(1ms, 1s)); },
     {5ms, 5ms, 5ms, 3s, 3s}},
    {"MaxOfAdvancesBoth",
     [] { return max_of(fast_slow(1ms, 6ms, 2), backoff(1ms, 1s)); },
     {1ms, 2ms, 6ms, 8ms, 16ms}},
    {"WithMaxWait",
     [] {
       return std::make_unique<workqueue::WithMaxWait<std::string>>(fast_slow(5s, 1000s, 2), 500s);
     },
     {5s, 5s, 500s, 500s}},
    {"ItemDefault", [] { return workqueue::default_item_limiter<std::string>(); }, {1ms, 2ms, 4ms}},
};

constexpr auto kName = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(ClientGo, LimiterRuleTest, testing::ValuesIn(kLimiters), kName);

// The sixth failure waits 32 ms, the thousandth the maximum, with different bases.
TEST(ClientGoLimiters, ExponentialDoesNotOverflow) {
  for (const auto& [base, sixth] : {std::pair{1ms, 32ms}, {100ms, 3200ms}}) {
    const Limiter limiter = backoff(base, 1000s);
    for (int i = 0; i < 5; ++i) limiter->next_delay("a");
    EXPECT_EQ(limiter->next_delay("a"), sixth);
    for (int i = 0; i < 1000; ++i) limiter->next_delay("a");
    EXPECT_EQ(limiter->next_delay("a"), 1000s);
  }
}

TEST(ControllerRuntimeLimiters, KeysAreDelayedIndependently) {
  FakeClock clock;
  workqueue::WorkQueue<std::string> queue(clock, {.limiter = backoff(5ms, 1000s)});
  for (int i = 0; i < 7; ++i) {
    queue.cancel_delayed("often");
    queue.add_rate_limited("often");
  }
  queue.add_rate_limited("once");
  clock.advance(5ms);
  EXPECT_EQ(queue.try_get()->key(), "once");
  clock.advance(315ms - 1ns);
  EXPECT_FALSE(queue.try_get());
  clock.advance(1ns);
  EXPECT_EQ(queue.try_get()->key(), "often");
}

TEST(PublicReports, AnAddThatMergesGivesItsTokenBack) {
  FakeClock clock;
  workqueue::WorkQueue<std::string> queue(
      clock, {.limiter = std::make_unique<workqueue::TokenBucket<std::string>>(
                  clock, workqueue::TokenBucketOptions{.per_second = 1, .burst = 1})});
  queue.add_rate_limited("a");
  for (int i = 0; i < 1000; ++i) queue.add_rate_limited("b");
  EXPECT_EQ(queue.next_due(), clock.now() + 1s);
  queue.add_rate_limited("c");
  EXPECT_EQ(queue.delayed_len(), 2U);
  clock.advance(2s);
  EXPECT_EQ(queue.len(), 3U);
}

TEST(PublicReports, EachQueueOwnsItsLimiter) {
  static_assert(!std::is_copy_constructible_v<workqueue::WorkQueueOptions<std::string>>);
}

struct PiecesCase {
  std::size_t pieces;
  int workers;
  std::size_t chunk;
};

TEST(ClientGoParallelizer, EachPieceRunsOnce) {
  for (const PiecesCase& c :
       {PiecesCase{1000, 10, 1}, {1000, 10, 10}, {1000, 10, 100}, {999, 10, 13}}) {
    std::vector<std::atomic<int>> seen(c.pieces);
    EXPECT_TRUE(workqueue::parallelize_until(
        {}, c.workers, c.pieces, [&](std::size_t i) { ++seen[i]; }, {.chunk_size = c.chunk}));
    for (const auto& count : seen) EXPECT_EQ(count, 1);
  }
}

}  // namespace
}  // namespace windlass::parity

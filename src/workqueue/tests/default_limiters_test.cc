#include "windlass/workqueue/default_limiters.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/workqueue/fast_then_slow.h"
#include "windlass/workqueue/max_of.h"
#include "windlass/workqueue/wrapped_limiters.h"

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

TEST(DefaultControllerLimiter, IsBackoffFrom5MsTo1000SAndABucketOf10ASecondBurst100) {
  FakeClock clock;
  const auto limiter = default_controller_limiter<std::string>(clock);
  Duration delay = 5ms;
  for (int i = 0; i < 18; ++i, delay *= 2) EXPECT_EQ(limiter->next_delay("a"), delay);
  EXPECT_EQ(limiter->next_delay("a"), 1000s);
  for (int i = 19; i < 100; ++i) limiter->next_delay("b" + std::to_string(i));
  EXPECT_EQ(limiter->next_delay("c"), 100ms);
  EXPECT_EQ(limiter->num_requeues("a"), 19);
  EXPECT_TRUE(limiter->forget("a"));
  EXPECT_EQ(limiter->num_requeues("a"), 0);
}

TEST(DefaultControllerLimiter, AFirstTryThatIsFreeTakesNoToken) {
  FakeClock clock;
  const auto limiter = default_controller_limiter<std::string>(clock, {.first_try_is_free = true});
  for (int i = 0; i < 500; ++i) EXPECT_EQ(limiter->next_delay(std::to_string(i)), 5ms);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(limiter->next_delay(std::to_string(i)), 10ms);
  EXPECT_EQ(limiter->next_delay("100"), 100ms);
  limiter->give_back("499");  // had no token to return
  EXPECT_EQ(limiter->next_delay("101"), 200ms);
  limiter->give_back("101");
  EXPECT_EQ(limiter->next_delay("102"), 200ms);
}

TEST(DefaultItemLimiter, IsBackoffFrom1MsTo1000S) {
  const auto limiter = default_item_limiter<std::string>();
  EXPECT_EQ(limiter->next_delay("a"), 1ms);
  EXPECT_EQ(limiter->next_delay("a"), 2ms);
  for (int i = 0; i < 30; ++i) limiter->next_delay("a");
  EXPECT_EQ(limiter->next_delay("a"), 1000s);
}

// A queue that refuses a retry leaves the limiter as it was: nobody would forget such a key.
TEST(Limiters, WhatIsUndoneWasNeverAsked) {
  using Limiter = std::unique_ptr<RateLimiter<std::string>>;
  FakeClock clock;
  const std::function<Limiter()> all[] = {
      [] { return default_item_limiter<std::string>(); },
      [&] { return default_controller_limiter<std::string>(clock); },
      [&] { return default_controller_limiter<std::string>(clock, {.first_try_is_free = true}); },
      [] {
        return std::make_unique<FastThenSlow<std::string>>(
            FastThenSlowOptions{.fast = 1s, .slow = 2s, .fast_tries = 2});
      },
      [] {
        std::vector<Limiter> both;
        both.push_back(default_item_limiter<std::string>());
        both.push_back(default_item_limiter<std::string>());
        return std::make_unique<MaxOf<std::string>>(std::move(both));
      },
      [] {
        return std::make_unique<WithMaxWait<std::string>>(default_item_limiter<std::string>(), 1h);
      }};
  for (const auto& make : all) {
    const Limiter limiter = make();
    for (int i = 0; i < 150; ++i) {  // more than the bucket's burst
      limiter->next_delay("refused");
      limiter->undo("refused");
      EXPECT_EQ(limiter->num_requeues("refused"), 0);
    }
    EXPECT_FALSE(limiter->forget("refused"));
    const Duration first = limiter->next_delay("tried");
    const Duration second = limiter->next_delay("tried");
    limiter->undo("tried");
    EXPECT_EQ(limiter->num_requeues("tried"), 1);
    EXPECT_EQ(limiter->next_delay("tried"), second);
    EXPECT_LE(first, 1s);
  }
}

}  // namespace
}  // namespace windlass::workqueue

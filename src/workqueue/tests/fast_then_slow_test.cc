#include "windlass/workqueue/fast_then_slow.h"

#include <gtest/gtest.h>

#include <string>

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

TEST(FastThenSlow, IsFastSoManyTimesPerKeyAndStartsOverAfterForget) {
  FastThenSlow<std::string> limiter({.fast = 5ms, .slow = 10s, .fast_tries = 3});
  for (const Duration expected : {Duration(5ms), Duration(5ms), Duration(5ms), Duration(10s)}) {
    EXPECT_EQ(limiter.next_delay("a"), expected);
  }
  EXPECT_EQ(limiter.num_requeues("a"), 4);
  EXPECT_EQ(limiter.next_delay("b"), 5ms);
  EXPECT_TRUE(limiter.forget("a"));
  EXPECT_FALSE(limiter.forget("a"));
  EXPECT_EQ(limiter.next_delay("a"), 5ms);
}

TEST(FastThenSlow, WithoutFastTriesIsAlwaysSlow) {
  FastThenSlow<std::string> limiter({.fast = 1ms, .slow = 2ms, .fast_tries = 0});
  EXPECT_EQ(limiter.next_delay("a"), 2ms);
}

}  // namespace
}  // namespace windlass::workqueue

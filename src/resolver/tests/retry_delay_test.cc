#include "retry_delay.h"

#include <gtest/gtest.h>

namespace windlass::resolver {
namespace {

using std::chrono::seconds;

TEST(RetryDelay, DoublesFromBaseToMaxAndStaysThere) {
  RetryDelay delay({.base = seconds(1), .max = seconds(1000)}, 0, Random(1));
  Duration expected = seconds(1);
  for (int failures = 1; failures <= 5000; ++failures) {
    EXPECT_EQ(delay.after(failures), std::min<Duration>(expected, seconds(1000)));
    if (expected < seconds(1000)) expected *= 2;
  }
}

TEST(RetryDelay, LargestMaximumDoesNotOverflow) {
  RetryDelay delay({.base = Duration(1), .max = Duration::max()}, 0, Random(1));
  EXPECT_EQ(delay.after(63), Duration(Duration::rep{1} << 62));
  EXPECT_EQ(delay.after(64), Duration::max());
  EXPECT_EQ(delay.after(100'000), Duration::max());
}

TEST(RetryDelay, JitterAddsAtMostItsShare) {
  RetryDelay delay({.base = seconds(1), .max = seconds(1000)}, 0.25, Random(7));
  bool differs = false;
  for (int i = 0; i < 1000; ++i) {
    const Duration pause = delay.after(3);
    EXPECT_GE(pause, seconds(4));
    EXPECT_LE(pause, seconds(5));
    differs |= pause != delay.after(3);
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace windlass::resolver

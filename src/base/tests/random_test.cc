#include "windlass/base/random.h"

#include <gtest/gtest.h>

namespace windlass {
namespace {

using namespace std::chrono_literals;

TEST(Random, SameSeedSameNumbers) {
  Random a(7);
  Random b(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Random, JitterStaysBetweenZeroAndItsLimit) {
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Duration delay = random.up_to(10ms);
    EXPECT_GE(delay, 0ns);
    EXPECT_LE(delay, 10ms);
    EXPECT_LT(random.uniform(), 1.0);
  }
  EXPECT_EQ(random.up_to(0ns), 0ns);
  EXPECT_EQ(random.up_to(-1s), 0ns);
  EXPECT_GE(random.up_to(Duration::max()), 0ns);
}

}  // namespace
}  // namespace windlass

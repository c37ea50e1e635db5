#include "windlass/workqueue/exponential_backoff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;
using Backoff = ExponentialBackoff<std::string>;

TEST(ExponentialBackoff, DoublesPerKeyAndForgetStartsOverAtBase) {
  Backoff backoff({.base = 1ms, .max = 1s});
  for (const Duration expected : {1ms, 2ms, 4ms, 8ms, 16ms}) {
    EXPECT_EQ(backoff.next_delay("one"), expected);
  }
  EXPECT_EQ(backoff.num_requeues("one"), 5);
  EXPECT_EQ(backoff.next_delay("two"), 1ms);
  EXPECT_EQ(backoff.num_requeues("two"), 1);
  EXPECT_TRUE(backoff.forget("one"));
  EXPECT_FALSE(backoff.forget("one"));
  EXPECT_EQ(backoff.num_requeues("one"), 0);
  EXPECT_EQ(backoff.next_delay("one"), 1ms);
}

TEST(ExponentialBackoff, StaysAtMaxHoweverOftenAKeyFails) {
  Backoff backoff({.base = 5ms, .max = 1000s});
  Duration last = 0ms;
  for (int i = 0; i < 5000; ++i) {
    const Duration delay = backoff.next_delay("k");
    ASSERT_GE(delay, last);
    ASSERT_LE(delay, 1000s);
    last = delay;
  }
  EXPECT_EQ(last, 1000s);
  EXPECT_EQ(backoff.num_requeues("k"), 5000);
  EXPECT_EQ(backoff.next_delay("other"), 5ms);
}

struct DelayCase {
  Duration base;
  Duration max;
  int failures;
  Duration expected;
};

TEST(ExponentialDelay, SaturatesInsteadOfOverflowing) {
  const Duration longest = Duration::max();
  const DelayCase cases[] = {
      {1ns, longest, 62, Duration(std::int64_t{1} << 62)},
      {1ns, longest, 63, longest},  // 2^63 ns does not fit
      {1ns, longest, 64, longest},
      {1ns, longest, 5000, longest},
      {3ns, longest, 61, Duration(std::int64_t{3} << 61)},
      {3ns, longest, 62, longest},
      {0ns, longest, 0, 0ns},
      {0ns, longest, 1024, 0ns},
      {10s, 1s, 0, 1s},  // max wins over base
      {1ms, 0s, 3, 0s},
      {5ms, 1000s, 17, 5ms * 131072},
      {5ms, 1000s, 18, 1000s},
      {5ms, 1000s, std::numeric_limits<int>::max(), 1000s},
  };
  for (const DelayCase& c : cases) {
    EXPECT_EQ(exponential_delay({.base = c.base, .max = c.max}, c.failures), c.expected)
        << c.base.count() << " ns << " << c.failures;
  }
}

RC_GTEST_PROP(ExponentialDelay, NeverFallsAndStaysWithinBounds, ()) {
  const auto base = *rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max());
  const auto max = *rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max());
  Duration last{0};
  for (int failures = 0; failures < 80; ++failures) {
    const Duration delay =
        exponential_delay({.base = Duration(base), .max = Duration(max)}, failures);
    RC_ASSERT(delay >= last && delay.count() <= max);
    last = delay;
  }
  RC_ASSERT(last.count() == (base == 0 ? 0 : max));
}

}  // namespace
}  // namespace windlass::workqueue

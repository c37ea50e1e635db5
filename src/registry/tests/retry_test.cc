#include "retry.h"

#include <gtest/gtest.h>

namespace windlass::registry {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr TimePoint kNow{seconds(1000)};
const Error kBroken{.code = ErrorCode::kUnavailable, .message = "503"};

TEST(RetrySchedule, PausesStayUnderADoublingBound) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    RetrySchedule schedule({.attempts_max = 20}, TimePoint::max());
    milliseconds bound{250};
    for (int i = 0; i < 10; ++i) {
      const auto when = schedule.next(kBroken, kNow, random);
      ASSERT_TRUE(when.has_value());
      EXPECT_GE(*when, kNow);
      EXPECT_LE(*when - kNow, bound);
      bound = std::min<milliseconds>(bound * 2, seconds(10));
    }
  }
}

TEST(RetrySchedule, EndsWithTheAttemptsTheDeadlineOrAFinalError) {
  Random random(7);
  RetrySchedule few({.attempts_max = 3}, TimePoint::max());
  EXPECT_TRUE(few.next(kBroken, kNow, random).has_value());
  EXPECT_TRUE(few.next(kBroken, kNow, random).has_value());
  EXPECT_FALSE(few.next(kBroken, kNow, random).has_value());
  EXPECT_EQ(few.attempts(), 3);

  RetrySchedule late({}, kNow);
  EXPECT_FALSE(late.next(kBroken, kNow, random).has_value());

  RetrySchedule final_error({}, TimePoint::max());
  for (const ErrorCode code : {ErrorCode::kNotFound, ErrorCode::kForbidden, ErrorCode::kInvalid,
                               ErrorCode::kUnauthenticated, ErrorCode::kCancelled})
    EXPECT_FALSE(final_error.next({.code = code}, kNow, random).has_value());
}

TEST(RetrySchedule, RetryAfterIsKeptTo) {
  Random random(7);
  const Error throttled{
      .code = ErrorCode::kThrottled, .message = "429", .retry_after = seconds(20)};
  RetrySchedule schedule({}, kNow + seconds(30));
  const auto when = schedule.next(throttled, kNow, random);
  ASSERT_TRUE(when.has_value());
  EXPECT_GE(*when, kNow + seconds(20));
  RetrySchedule shorter({}, kNow + seconds(20));
  EXPECT_FALSE(shorter.next(throttled, kNow, random).has_value());
}

}  // namespace
}  // namespace windlass::registry

#include "windlass/base/time.h"

#include <gtest/gtest.h>

namespace windlass {
namespace {

using namespace std::chrono_literals;

TEST(SaturatingAdd, StaysInsideTheRange) {
  const TimePoint now{1000s};
  EXPECT_EQ(saturating_add(now, 5s), TimePoint{1005s});
  EXPECT_EQ(saturating_add(now, -5s), TimePoint{995s});
  EXPECT_EQ(saturating_add(now, Duration::max()), TimePoint::max());
  EXPECT_EQ(saturating_add(TimePoint{-1000s}, Duration::min() + 1ns), TimePoint::min());
}

TEST(DurationText, ReadsAsAPersonWouldSayIt) {
  const std::pair<Duration, const char*> table[] = {
      {0ns, "0 s"},
      {499us, "0 s"},
      {500us, "0 s"},
      {1ms, "1 ms"},
      {250ms, "250 ms"},
      {999ms, "999 ms"},
      {999'600us, "1 s"},
      {1s, "1 s"},
      {1500ms, "1.5 s"},
      {9'949ms, "9.9 s"},
      {9'950ms, "10 s"},
      {59'400ms, "59 s"},
      {60s, "1 min 0 s"},
      {125s, "2 min 5 s"},
      {3600s, "1 h 0 min"},
      {86'400s, "24 h 0 min"},
      {-2s, "-2 s"},
      {-100us, "0 s"},
      {Duration::max(), "2562047 h 47 min"},
      {Duration::min(), "-2562047 h 47 min"},
  };
  for (const auto& [duration, text] : table) EXPECT_EQ(to_text(duration), text) << duration.count();
}

TEST(WallTimeText, IsUtcWithMicroseconds) {
  const WallTime epoch{};
  const std::pair<WallTime, const char*> table[] = {
      {epoch, "1970-01-01T00:00:00.000000Z"},
      {epoch - 1ns, "1969-12-31T23:59:59.999999Z"},
      {epoch + 951'827'696s + 7us, "2000-02-29T12:34:56.000007Z"},
      {epoch + 4'102'444'800s + 999'999'999ns, "2100-01-01T00:00:00.999999Z"},
  };
  for (const auto& [time, text] : table) EXPECT_EQ(to_rfc3339(time), text);
}

}  // namespace
}  // namespace windlass

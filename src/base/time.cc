#include "windlass/base/time.h"

#include "windlass/base/format.h"

namespace windlass {

TimePoint saturating_add(TimePoint from, Duration by) {
  if (by >= Duration::zero()) {
    return from > TimePoint::max() - by ? TimePoint::max() : from + by;
  }
  return from < TimePoint::min() - by ? TimePoint::min() : from + by;
}

std::chrono::sys_seconds wall_time() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::string to_text(Duration duration) {
  using namespace std::chrono;
  const bool negative = duration < Duration::zero();
  if (negative) duration = duration == Duration::min() ? Duration::max() : -duration;
  const std::string sign = negative && duration >= 500us ? "-" : "";
  if (duration < 999'500us) {
    const auto ms = round<milliseconds>(duration).count();
    return ms == 0 ? "0 s" : format("{}{} ms", sign, ms);
  }
  if (duration < 9'950ms) {
    const auto tenths = (duration + 50ms) / 100ms;
    return tenths % 10 == 0 ? format("{}{} s", sign, tenths / 10)
                            : format("{}{}.{} s", sign, tenths / 10, tenths % 10);
  }
  const auto whole = duration > Duration::max() - 1s ? duration_cast<seconds>(duration).count()
                                                     : round<seconds>(duration).count();
  if (whole < 60) return format("{}{} s", sign, whole);
  if (whole < 3600) return format("{}{} min {} s", sign, whole / 60, whole % 60);
  return format("{}{} h {} min", sign, whole / 3600, whole % 3600 / 60);
}

std::string to_rfc3339(WallTime time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<microseconds>(time - day));
  return format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                clock.subseconds().count());
}

}  // namespace windlass

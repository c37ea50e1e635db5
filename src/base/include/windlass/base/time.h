// The types every timed thing uses. Deadlines use the steady clock only: it never jumps. The time
// of day is for people and for other machines, and for nothing that is decided here.
#pragma once

#include <chrono>
#include <string>

namespace windlass {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

// `from + by`, held inside the range of TimePoint: adding "for ever" to now stays for ever.
TimePoint saturating_add(TimePoint from, Duration by);

// The machine's calendar time, for comparing with dates that others wrote, and for nothing else: it
// may jump.
std::chrono::sys_seconds wall_time();

// For people: "0 s", "250 ms", "1.5 s", "10 s", "2 min 5 s", "1 h 0 min". Rounded, never negative
// zero.
std::string to_text(Duration duration);

// The time of day, as other machines know it. It may jump.
using WallTime = std::chrono::sys_time<Duration>;

// RFC 3339 in UTC with microseconds: "2026-12-02T14:25:08.000250Z".
std::string to_rfc3339(WallTime time);

}  // namespace windlass

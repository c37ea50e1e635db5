// The two types every timed thing uses. Deadlines use the steady clock only: it never jumps.
#pragma once

#include <chrono>
#include <string>

namespace windlass {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Duration>;

// `from + by`, held inside the range of TimePoint: adding "for ever" to now stays for ever.
TimePoint saturating_add(TimePoint from, Duration by);

// For people: "0 s", "250 ms", "1.5 s", "10 s", "2 min 5 s", "1 h 0 min". Rounded, never negative
// zero.
std::string to_text(Duration duration);

}  // namespace windlass

// Stats: what a Controller has done since it was made.
//
// A value: a snapshot of one moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "windlass/base/time.h"

namespace windlass::reconcile {

struct Stats {
  // Ended runs, by what followed.
  std::uint64_t done = 0;
  std::uint64_t requeued = 0;
  std::uint64_t requeued_after = 0;
  std::uint64_t terminal = 0;   // failed for good, as the handler said
  std::uint64_t retried = 0;    // failed, to be tried again
  std::uint64_t given_up = 0;   // failed, as often as the retry policy allows
  std::uint64_t forgotten = 0;  // result dropped, since the key was forgotten meanwhile

  std::uint64_t refused = 0;    // enqueueing that was refused, since the queue was full
  std::uint64_t threw = 0;      // handlers that threw, or let their run go unfinished
  std::uint64_t timed_out = 0;  // runs that were told to stop, since their time was over
  Duration handling = {};       // of all ended runs together

  std::size_t handling_now = 0;
  std::size_t handling_max = 0;    // the most at a time
  std::size_t handling_limit = 0;  // workers, or max_in_flight; 0 when run() is not going on
  std::size_t retrying = 0;  // keys that failed or asked for a requeue, and were not done since
};

// What a stopped controller has left.
struct StopReport {
  std::vector<std::string> running;  // keys that were still being handled when the time was over
  std::size_t ready = 0;             // runs that may start at once
  std::size_t delayed = 0;
};

}  // namespace windlass::reconcile

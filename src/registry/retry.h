// When a lookup tries again: exponential back-off with full jitter, a bounded number of attempts,
// and never past the deadline. Passive: told the time, it names the next one.
#pragma once

#include <optional>

#include "windlass/base/error.h"
#include "windlass/base/random.h"

namespace windlass::registry {

struct RetryOptions {
  int attempts_max = 6;                                    // the first included
  Duration backoff_base = std::chrono::milliseconds(250);  // bound of the first pause; then doubled
  Duration backoff_max = std::chrono::seconds(10);
};

class RetrySchedule {
 public:
  RetrySchedule(RetryOptions options, TimePoint deadline)
      : options_(options), deadline_(deadline) {}

  int attempts() const { return attempts_; }

  // When to try again after `error`; nothing when it is final, or there is no time or attempt left.
  // A server's own `retry_after` is kept to; one that ends after the deadline ends the lookup now.
  std::optional<TimePoint> next(const Error& error, TimePoint now, Random& random);

 private:
  RetryOptions options_;
  TimePoint deadline_;
  int attempts_ = 0;  // that have failed
};

}  // namespace windlass::registry

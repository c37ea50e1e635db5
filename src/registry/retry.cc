#include "retry.h"

#include <algorithm>

namespace windlass::registry {

std::optional<TimePoint> RetrySchedule::next(const Error& error, TimePoint now, Random& random) {
  ++attempts_;
  if (!is_retryable(error.code) || attempts_ >= options_.attempts_max) return std::nullopt;
  Duration bound = options_.backoff_base;
  for (int i = 1; i < attempts_ && bound < options_.backoff_max; ++i) bound *= 2;
  const Duration pause = random.up_to(std::min(bound, options_.backoff_max));
  // The jitter comes on top, so that not all who were told the same time come back at once.
  const TimePoint when = saturating_add(now, error.retry_after.value_or(Duration::zero()) + pause);
  return when < deadline_ ? std::optional(when) : std::nullopt;
}

}  // namespace windlass::registry

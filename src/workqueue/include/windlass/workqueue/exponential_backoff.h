// ExponentialBackoff: each failure of a key doubles its wait.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <chrono>

#include "windlass/base/check.h"
#include "windlass/workqueue/detail/failure_counts.h"
#include "windlass/workqueue/rate_limiter.h"

namespace windlass::workqueue {

struct ExponentialBackoffOptions {
  Duration base = std::chrono::milliseconds(5);  // >= 0; zero never waits
  Duration max = std::chrono::seconds(1000);     // >= 0; smaller than base wins over it
};

// base * 2^failures, saturating at max: never negative, never less than before.
inline Duration exponential_delay(const ExponentialBackoffOptions& options, int failures) {
  const Duration::rep base = options.base.count();
  const Duration::rep max = options.max.count();
  if (base == 0 || max == 0) return Duration::zero();
  // base << failures exceeds max exactly when base exceeds max >> failures.
  if (failures >= 63 || base > (max >> failures)) return options.max;
  return Duration(base << failures);
}

template <QueueKey Key>
class ExponentialBackoff final : public RateLimiter<Key> {
 public:
  explicit ExponentialBackoff(ExponentialBackoffOptions options) : options_(options) {
    WINDLASS_CHECK(options.base >= Duration::zero() && options.max >= Duration::zero());
  }

  Duration next_delay(KeyView<Key> key) override {
    return exponential_delay(options_, counts_.add(key));
  }
  bool forget(KeyView<Key> key) override { return counts_.forget(key); }
  int num_requeues(KeyView<Key> key) const override { return counts_.count(key); }
  void undo(KeyView<Key> key) override { counts_.undo(key); }

 private:
  const ExponentialBackoffOptions options_;
  detail::FailureCounts<Key> counts_;
};

}  // namespace windlass::workqueue

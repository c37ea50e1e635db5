// ExponentialBackoff: each failure of a key doubles its wait.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <cstdint>
#include <limits>

#include "windlass/base/check.h"
#include "windlass/base/mutex.h"
#include "windlass/workqueue/detail/key_index.h"
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

// Invariant: the index holds exactly the keys being retried, each with a count >= 1.
template <QueueKey Key>
class ExponentialBackoff final : public RateLimiter<Key> {
 public:
  explicit ExponentialBackoff(ExponentialBackoffOptions options) : options_(options) {
    WINDLASS_CHECK(options.base >= Duration::zero() && options.max >= Duration::zero());
  }

  Duration next_delay(KeyView<Key> key) override EXCLUDES(mutex_);
  bool forget(KeyView<Key> key) override EXCLUDES(mutex_);
  int num_requeues(KeyView<Key> key) const override EXCLUDES(mutex_);

 private:
  struct Failures {
    std::uint32_t hash = 0;
    int count = 0;
  };

  const ExponentialBackoffOptions options_;

  mutable Mutex mutex_;
  detail::KeyIndex<Key, Failures> index_ GUARDED_BY(mutex_);
};

template <QueueKey Key>
Duration ExponentialBackoff<Key>::next_delay(KeyView<Key> key) {
  MutexLock lock(mutex_);
  const std::uint32_t hash = index_.hash(key);
  detail::Handle handle = index_.find(key, hash);
  if (handle == detail::kNoHandle) handle = index_.insert(key, hash);
  int& count = index_.state(handle).count;
  const Duration delay = exponential_delay(options_, count);
  if (count < std::numeric_limits<int>::max()) ++count;
  return delay;
}

template <QueueKey Key>
bool ExponentialBackoff<Key>::forget(KeyView<Key> key) {
  MutexLock lock(mutex_);
  const detail::Handle handle = index_.find(key, index_.hash(key));
  if (handle == detail::kNoHandle) return false;
  index_.erase(handle);
  return true;
}

template <QueueKey Key>
int ExponentialBackoff<Key>::num_requeues(KeyView<Key> key) const {
  MutexLock lock(mutex_);
  const detail::Handle handle = index_.find(key, index_.hash(key));
  return handle == detail::kNoHandle ? 0 : index_.state(handle).count;
}

}  // namespace windlass::workqueue

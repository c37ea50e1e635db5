// TokenBucket: all keys together may be tried so often; a burst may go first.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include "windlass/base/clock.h"
#include "windlass/base/mutex.h"
#include "windlass/base/time.h"
#include "windlass/workqueue/rate_limiter.h"

namespace windlass::workqueue {

struct TokenBucketOptions {
  double per_second = 10;  // > 0, at most 1e9
  int burst = 100;         // >= 1
};

// The bucket itself, told the time.
//
// Invariant: `paid_until_` is when the bucket would be full again if nobody took more; a token
// moves it by `interval_`.
class Bucket {
 public:
  // Aborts if `options` break the bounds above: they come from code.
  explicit Bucket(TokenBucketOptions options);

  // Takes one token, on credit if there is none, and returns how long to wait for it.
  Duration reserve(TimePoint now);
  void give_back();

 private:
  Duration interval_;  // between two tokens
  Duration depth_;     // burst * interval
  TimePoint paid_until_{};
};

template <QueueKey Key>
class TokenBucket final : public RateLimiter<Key> {
 public:
  TokenBucket(Clock& clock, TokenBucketOptions options) : clock_(clock), bucket_(options) {}

  Duration next_delay(KeyView<Key>) override EXCLUDES(mutex_) {
    const TimePoint now = clock_.now();
    MutexLock lock(mutex_);
    return bucket_.reserve(now);
  }
  bool forget(KeyView<Key>) override { return false; }
  int num_requeues(KeyView<Key>) const override { return 0; }
  void give_back(KeyView<Key>) override EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    bucket_.give_back();
  }

 private:
  Clock& clock_;

  Mutex mutex_;
  Bucket bucket_ GUARDED_BY(mutex_);
};

}  // namespace windlass::workqueue

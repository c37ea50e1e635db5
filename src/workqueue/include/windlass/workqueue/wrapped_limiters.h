// WithMaxWait and Jittered: limiters that change what another one answers.
//
// Thread safety: all members may be called from any thread. Jittered's lock is a leaf; the wrapped
// limiter is called without it.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "windlass/base/check.h"
#include "windlass/base/mutex.h"
#include "windlass/base/random.h"
#include "windlass/workqueue/rate_limiter.h"

namespace windlass::workqueue {

// Passes every call on to the limiter it owns.
template <QueueKey Key>
class WrappedLimiter : public RateLimiter<Key> {
 public:
  bool forget(KeyView<Key> key) override { return inner_->forget(key); }
  int num_requeues(KeyView<Key> key) const override { return inner_->num_requeues(key); }
  void give_back(KeyView<Key> key) override { inner_->give_back(key); }
  void undo(KeyView<Key> key) override { inner_->undo(key); }

 protected:
  explicit WrappedLimiter(std::unique_ptr<RateLimiter<Key>> inner) : inner_(std::move(inner)) {
    WINDLASS_CHECK(inner_ != nullptr);
  }
  Duration inner_delay(KeyView<Key> key) { return inner_->next_delay(key); }

 private:
  const std::unique_ptr<RateLimiter<Key>> inner_;
};

// Never waits longer than `max`. What the inner limiter counts grows all the same.
template <QueueKey Key>
class WithMaxWait final : public WrappedLimiter<Key> {
 public:
  WithMaxWait(std::unique_ptr<RateLimiter<Key>> inner, Duration max)
      : WrappedLimiter<Key>(std::move(inner)), max_(max) {
    WINDLASS_CHECK(max >= Duration::zero());
  }

  Duration next_delay(KeyView<Key> key) override { return std::min(this->inner_delay(key), max_); }

 private:
  const Duration max_;
};

// Takes a random part off each delay, so that keys that failed together do not come back together.
template <QueueKey Key>
class Jittered final : public WrappedLimiter<Key> {
 public:
  // The delay becomes a random one between (1 - share) of it and all of it; 0 <= share <= 1.
  Jittered(std::unique_ptr<RateLimiter<Key>> inner, double share, Random random)
      : WrappedLimiter<Key>(std::move(inner)), share_(share), random_(random) {
    WINDLASS_CHECK(share >= 0 && share <= 1);
  }

  Duration next_delay(KeyView<Key> key) override EXCLUDES(mutex_) {
    const Duration delay = this->inner_delay(key);
    const double most = static_cast<double>(delay.count()) * share_;
    // The largest durations round up as doubles; no more than the delay itself is taken off.
    const Duration off = most >= 9.2e18 ? delay : Duration(static_cast<Duration::rep>(most));
    MutexLock lock(mutex_);
    return delay - random_.up_to(std::min(off, delay));
  }

 private:
  const double share_;

  Mutex mutex_;
  Random random_ GUARDED_BY(mutex_);
};

}  // namespace windlass::workqueue

// FastThenSlow: a few quick tries, then slow ones.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include "windlass/base/mutex.h"
#include "windlass/workqueue/detail/failure_counts.h"
#include "windlass/workqueue/rate_limiter.h"

namespace windlass::workqueue {

struct FastThenSlowOptions {
  Duration fast;   // >= 0
  Duration slow;   // >= 0
  int fast_tries;  // so many waits are fast
};

template <QueueKey Key>
class FastThenSlow final : public RateLimiter<Key> {
 public:
  explicit FastThenSlow(FastThenSlowOptions options) : options_(options) {
    WINDLASS_CHECK(options.fast >= Duration::zero() && options.slow >= Duration::zero());
  }

  Duration next_delay(KeyView<Key> key) override {
    return counts_.add(key) < options_.fast_tries ? options_.fast : options_.slow;
  }
  bool forget(KeyView<Key> key) override { return counts_.forget(key); }
  int num_requeues(KeyView<Key> key) const override { return counts_.count(key); }
  void undo(KeyView<Key> key) override { counts_.undo(key); }

 private:
  const FastThenSlowOptions options_;
  detail::FailureCounts<Key> counts_;
};

}  // namespace windlass::workqueue

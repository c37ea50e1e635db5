// The limiters that client-go's controllers use unless told otherwise.
//
// Thread safety: that of RateLimiter. `clock` outlives the limiter.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>

#include "windlass/base/clock.h"
#include "windlass/workqueue/exponential_backoff.h"
#include "windlass/workqueue/rate_limiter.h"
#include "windlass/workqueue/token_bucket.h"

namespace windlass::workqueue {

struct ControllerLimiterOptions {
  // A key's first try takes no token, so the bucket slows retries and not ordinary updates.
  bool first_try_is_free = false;
};

namespace detail {

// The back-off and the bucket together, so that the bucket can know which try is a key's first.
template <QueueKey Key>
class ControllerLimiter final : public RateLimiter<Key> {
 public:
  ControllerLimiter(Clock& clock, ControllerLimiterOptions options)
      : options_(options), backoff_({}), bucket_(clock, {.per_second = 10, .burst = 100}) {}

  Duration next_delay(KeyView<Key> key) override {
    const Duration delay = backoff_.next_delay(key);
    return last_was_free(key) ? delay : std::max(delay, bucket_.next_delay(key));
  }
  bool forget(KeyView<Key> key) override { return backoff_.forget(key); }
  int num_requeues(KeyView<Key> key) const override { return backoff_.num_requeues(key); }
  void give_back(KeyView<Key> key) override {
    if (!last_was_free(key)) bucket_.give_back(key);
  }
  void undo(KeyView<Key> key) override {
    give_back(key);
    backoff_.undo(key);
  }

 private:
  bool last_was_free(KeyView<Key> key) const {
    return options_.first_try_is_free && backoff_.num_requeues(key) <= 1;
  }

  const ControllerLimiterOptions options_;
  ExponentialBackoff<Key> backoff_;
  TokenBucket<Key> bucket_;
};

}  // namespace detail

// The longer of a back-off per key (5 ms, doubling, at most 1000 s) and one bucket for all keys
// (10 a second, bursts of 100).
template <QueueKey Key>
std::unique_ptr<RateLimiter<Key>> default_controller_limiter(
    Clock& clock, ControllerLimiterOptions options = {}) {
  return std::make_unique<detail::ControllerLimiter<Key>>(clock, options);
}

// The back-off alone, from 1 ms to 1000 s.
template <QueueKey Key>
std::unique_ptr<RateLimiter<Key>> default_item_limiter() {
  return std::make_unique<ExponentialBackoff<Key>>(
      ExponentialBackoffOptions{.base = std::chrono::milliseconds(1)});
}

}  // namespace windlass::workqueue

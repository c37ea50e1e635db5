// MergeLimiter: a rate limiter for which an enqueueing that was merged is none.
//
// The limiter below counts each time it is asked, also for a key that waits already. Here the delay
// of such a merged ask is kept for the next one, so that asking often neither uses up a key's
// retries nor makes its back-off longer.
//
// Thread safety: as every RateLimiter. The lock is not held while the limiter below is called.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "windlass/base/mutex.h"
#include "windlass/workqueue/rate_limiter.h"

namespace windlass::reconcile {

// Invariant: `asked_` holds the keys that were asked about and not forgotten since; of no other
// does the limiter below know anything.
class MergeLimiter final : public workqueue::RateLimiter<std::string> {
 public:
  explicit MergeLimiter(std::unique_ptr<workqueue::RateLimiter<std::string>> below)
      : below_(std::move(below)) {}

  Duration next_delay(std::string_view key) override EXCLUDES(mutex_);
  bool forget(std::string_view key) override EXCLUDES(mutex_);
  int num_requeues(std::string_view key) const override EXCLUDES(mutex_);
  void give_back(std::string_view key) override EXCLUDES(mutex_);
  void undo(std::string_view key) override EXCLUDES(mutex_);

 private:
  struct Asked {
    Duration last_delay = {};
    int unused = 0;            // asks that the limiter below counted and that led to nothing
    bool last_counted = true;  // the last ask went to the limiter below
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Map = std::unordered_map<std::string, Asked, Hash, std::equal_to<>>;

  const std::unique_ptr<workqueue::RateLimiter<std::string>> below_;

  std::atomic<std::size_t> keys_ = 0;  // in asked_

  mutable Mutex mutex_;
  Map asked_ GUARDED_BY(mutex_);
};

}  // namespace windlass::reconcile

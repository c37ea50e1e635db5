// MaxOf: the longest delay of several limiters.
//
// Thread safety: that of the limiters it owns. Every call reaches each of them in order.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "windlass/base/check.h"
#include "windlass/workqueue/rate_limiter.h"

namespace windlass::workqueue {

template <QueueKey Key>
class MaxOf final : public RateLimiter<Key> {
 public:
  // Aborts if one of them is null.
  explicit MaxOf(std::vector<std::unique_ptr<RateLimiter<Key>>> limiters)
      : limiters_(std::move(limiters)) {
    for (const auto& limiter : limiters_) WINDLASS_CHECK(limiter != nullptr);
  }

  Duration next_delay(KeyView<Key> key) override {
    Duration longest = Duration::zero();
    for (auto& limiter : limiters_) longest = std::max(longest, limiter->next_delay(key));
    return longest;
  }
  bool forget(KeyView<Key> key) override {
    bool known = false;
    for (auto& limiter : limiters_) known = limiter->forget(key) || known;
    return known;
  }
  int num_requeues(KeyView<Key> key) const override {
    int most = 0;
    for (const auto& limiter : limiters_) most = std::max(most, limiter->num_requeues(key));
    return most;
  }
  void give_back(KeyView<Key> key) override {
    for (auto& limiter : limiters_) limiter->give_back(key);
  }
  void undo(KeyView<Key> key) override {
    for (auto& limiter : limiters_) limiter->undo(key);
  }

 private:
  const std::vector<std::unique_ptr<RateLimiter<Key>>> limiters_;
};

}  // namespace windlass::workqueue

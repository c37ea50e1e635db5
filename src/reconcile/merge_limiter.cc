#include "merge_limiter.h"

#include <algorithm>

namespace windlass::reconcile {

Duration MergeLimiter::next_delay(std::string_view key) {
  {
    MutexLock lock(mutex_);
    if (const auto asked = asked_.find(key); asked != asked_.end() && asked->second.unused > 0) {
      --asked->second.unused;
      asked->second.last_counted = false;
      return asked->second.last_delay;
    }
  }
  const Duration delay = below_->next_delay(key);
  MutexLock lock(mutex_);
  Asked& asked = asked_.try_emplace(std::string(key)).first->second;
  asked.last_delay = delay;
  asked.last_counted = true;
  keys_.store(asked_.size(), std::memory_order_relaxed);
  return delay;
}

bool MergeLimiter::forget(std::string_view key) {
  // After most runs. Whoever forgets a key that was asked about knows of that, so sees the count.
  if (keys_.load(std::memory_order_relaxed) == 0) return false;
  {
    MutexLock lock(mutex_);
    const auto asked = asked_.find(key);
    if (asked == asked_.end()) return false;
    asked_.erase(asked);
    keys_.store(asked_.size(), std::memory_order_relaxed);
    if (asked_.empty()) Map().swap(asked_);  // erasing alone keeps the table
  }
  return below_->forget(key);
}

int MergeLimiter::num_requeues(std::string_view key) const {
  const int counted = below_->num_requeues(key);
  MutexLock lock(mutex_);
  const auto asked = asked_.find(key);
  return asked == asked_.end() ? counted : std::max(0, counted - asked->second.unused);
}

void MergeLimiter::give_back(std::string_view key) {
  bool counted = true;
  {
    MutexLock lock(mutex_);
    if (const auto asked = asked_.find(key); asked != asked_.end()) {
      ++asked->second.unused;
      counted = asked->second.last_counted;
    }
  }
  if (counted) below_->give_back(key);
}

void MergeLimiter::undo(std::string_view key) {
  {
    MutexLock lock(mutex_);
    if (const auto asked = asked_.find(key); asked != asked_.end() && !asked->second.last_counted) {
      ++asked->second.unused;
      return;
    }
  }
  below_->undo(key);
  if (below_->num_requeues(key) == 0) forget(key);
}

}  // namespace windlass::reconcile

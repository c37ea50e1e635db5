// The bodies of SharedQueue: adding. Include windlass/workqueue/work_queue.h instead.
#pragma once

#include <algorithm>

#include "windlass/workqueue/detail/shared_queue.h"

namespace windlass::workqueue::detail {

template <QueueKey Key>
bool SharedQueue<Key>::add(View key, const Arrival& arrival) {
  const std::uint32_t hash = Core::hash_of(key, seed_);
  LazyTime now = time();
  BurstGuard guard(lock_);
  advance(now);
  const Added added = settle_if_thrown([&] {
    lock_.assert_held();
    return core_.add(key, hash, arrival, [&now] { return now.record(); });
  });
  const std::size_t wakes = settle([] {});
  guard.unlock();
  wake(wakes);
  return added != Added::kRefused;
}

template <QueueKey Key>
std::size_t SharedQueue<Key>::add_batch(std::span<const Key> keys, const Arrival& arrival) {
  constexpr std::size_t kAtOnce = 64;  // so that others get the lock in between
  std::size_t taken_in = 0;
  while (!keys.empty()) {
    const auto some = keys.first(std::min(kAtOnce, keys.size()));
    keys = keys.subspan(some.size());
    LazyTime now = time();
    BurstGuard guard(lock_);
    advance(now);
    settle_if_thrown([&] {
      lock_.assert_held();
      for (const Key& key : some) {
        const Added added =
            core_.add(key, Core::hash_of(key, seed_), arrival, [&now] { return now.record(); });
        taken_in += added != Added::kRefused;
      }
    });
    const std::size_t wakes = settle([] {});
    guard.unlock();
    wake(wakes);
  }
  return taken_in;
}

template <QueueKey Key>
Added SharedQueue<Key>::add_after(View key, Duration delay, DelayMode mode,
                                  const Arrival& arrival) {
  const std::uint32_t hash = Core::hash_of(key, seed_);
  LazyTime now = time();
  const TimePoint due = saturating_add(now.read(), delay);
  BurstGuard guard(lock_);
  advance(now);
  const Added added = settle_if_thrown([&] {
    lock_.assert_held();
    return delay <= Duration::zero()
               ? core_.add(key, hash, arrival, [&now] { return now.record(); })
               : core_.add_at(key, hash, due, mode, arrival);
  });
  const std::size_t wakes = settle([&] {
    if (added != Added::kRefused) observer_->on_retry();
  });
  guard.unlock();
  wake(wakes);
  return added;
}

template <QueueKey Key>
bool SharedQueue<Key>::add_rate_limited(View key, const AddOptions& options) {
  if (look([](const Core& core, LazyTime&) { return core.shutting_down(); })) return false;
  const Duration delay = limiter_->next_delay(key);
  Added added = Added::kRefused;
  try {
    const Arrival arrival{.priority = options.priority,
                          .later = true,
                          .retry = true,
                          .failures = limiter_->num_requeues(key)};
    added = add_after(key, delay, DelayMode::kEarliest, arrival);
  } catch (...) {
    limiter_->undo(key);
    throw;
  }
  if (added == Added::kMerged) limiter_->give_back(key);
  if (added == Added::kRefused) limiter_->undo(key);
  return added != Added::kRefused;
}

}  // namespace windlass::workqueue::detail

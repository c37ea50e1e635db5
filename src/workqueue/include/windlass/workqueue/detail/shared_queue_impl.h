// The bodies of SharedQueue: taking, finishing, waking. Include
// windlass/workqueue/work_queue.h instead.
#pragma once

#include <algorithm>
#include <utility>

#include "windlass/workqueue/default_limiters.h"
#include "windlass/workqueue/detail/shared_queue.h"

namespace windlass::workqueue::detail {

template <QueueKey Key>
SharedQueue<Key>::SharedQueue(Clock& clock, WorkQueueOptions<Key> options)
    : clock_(clock),
      limiter_(options.limiter ? std::move(options.limiter)
                               : default_controller_limiter<Key>(clock)),
      name_(std::move(options.name)),
      record_times_(options.record_times),
      observer_(std::move(options.observer)),
      seed_(seed_from(this)),
      core_({std::min(options.keys_max, WorkQueueOptions<Key>::kKeysMost), options.age_after,
             options.record_times, seed_}) {}

template <QueueKey Key>
void SharedQueue<Key>::take(LazyTime& now, MaybeItem& item) {
  if (core_.ready() > 0) {
    const Handle handle = core_.take(now.record());
    item.emplace(typename Item<Key>::Start{}, *this, handle, core_.entry(handle));
  } else {
    arm(core_.next_due(), core_.over());
  }
}

template <QueueKey Key>
auto SharedQueue<Key>::try_get() -> MaybeItem {
  MaybeItem item;
  LazyTime now = time();
  BurstGuard guard(lock_);
  advance(now);
  take(now, item);
  const std::size_t wakes = settle([&] {
    if (item) observer_->on_get(item->waited());
  });
  guard.unlock();
  wake(wakes);
  return item;
}

template <QueueKey Key>
auto SharedQueue<Key>::get_until(TimePoint deadline, const std::stop_token& stop) -> MaybeItem {
  MaybeItem item;
  LazyTime now = time();
  BurstGuard guard(lock_);
  await_ready(now, deadline, stop);
  if (!stop.stop_requested()) take(now, item);
  const std::size_t wakes = settle([&] {
    if (item) observer_->on_get(item->waited());
  });
  if (!item) {  // this object may go once the lock is free
    wake(wakes);
    return item;
  }
  guard.unlock();
  wake(wakes);
  return item;
}

template <QueueKey Key>
std::vector<Item<Key>> SharedQueue<Key>::get_batch(std::size_t max, TimePoint deadline,
                                                   const std::stop_token& stop) {
  std::vector<Item<Key>> items;
  if (max == 0) return items;
  LazyTime now = time();
  BurstGuard guard(lock_);
  await_ready(now, deadline, stop);
  const std::size_t count = stop.stop_requested() ? 0 : std::min(max, core_.ready());
  settle_if_thrown([&] { items.reserve(count); });
  if (core_.ready() == 0) arm(core_.next_due(), core_.over());
  while (items.size() < count) {
    const Handle handle = core_.take(now.record());
    items.emplace_back(typename Item<Key>::Start{}, *this, handle, core_.entry(handle));
  }
  const std::size_t wakes = settle([&] {
    for (const auto& item : items) observer_->on_get(item.waited());
  });
  if (items.empty()) {  // this object may go once the lock is free
    wake(wakes);
    return items;
  }
  guard.unlock();
  wake(wakes);
  return items;
}

template <QueueKey Key>
void SharedQueue<Key>::await_ready(LazyTime& now, TimePoint deadline, const std::stop_token& stop) {
  for (;;) {
    advance(now);
    if (core_.ready() > 0 || core_.over() || abandoned_ || stop.stop_requested()) return;
    if (deadline != TimePoint::max() && now.read() >= deadline) return;
    sleep(deadline, stop);
    now.forget();
  }
}

template <QueueKey Key>
void SharedQueue<Key>::sleep(TimePoint deadline, const std::stop_token& stop) {
  // One waiter watches the earliest delay. Who finds an earlier one than is watched takes over;
  // the other then wakes up once for nothing.
  const TimePoint due = core_.next_due();
  const bool watches = due < watched_due_;
  if (watches) watched_due_ = due;
  ++waiters_;
  const std::uint64_t epoch = ready_.epoch();
  lock_.unlock();
  const bool woken =
      ready_.sleep(clock_, epoch, watches ? std::min(due, deadline) : deadline, stop);
  lock_.lock();
  --waiters_;
  if (woken && wakes_ > 0) --wakes_;
  wakes_ = std::min(wakes_, waiters_);
  if (watches && watched_due_ == due) watched_due_ = TimePoint::max();
  tell_remover();
}

template <QueueKey Key>
void SharedQueue<Key>::finish(Handle handle, std::optional<std::int32_t> put_back) {
  LazyTime now = time();
  BurstGuard guard(lock_);
  Duration worked{};
  if (record_times_ && !abandoned_) worked = now.read() - core_.entry(handle).state.started;
  advance(now);  // before the key is ready again: what was due earlier goes first
  if (put_back && !abandoned_) core_.undo_take(handle, *put_back);
  core_.finish(handle, now.record());
  if (core_.idle()) tell_drainers();
  if (!abandoned_) wake(settle([&] { observer_->on_done(worked); }));
  const bool last = orphaned_ && core_.running() == 0;
  if (!last) return;
  guard.unlock();
  delete this;
}

}  // namespace windlass::workqueue::detail

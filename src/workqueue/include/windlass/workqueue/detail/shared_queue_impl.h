// The bodies of SharedQueue: adding, taking and finishing. Include windlass/workqueue/work_queue.h
// instead.
#pragma once

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
      core_(options.keys_max, options.age_after) {}

template <QueueKey Key>
bool SharedQueue<Key>::add(View key, const Arrival& arrival) {
  const TimePoint now = time_for_call();
  MutexLock lock(mutex_);
  core_.advance(now);
  const Added added = core_.add(key, core_.hash(key), arrival, now);
  const std::size_t wakes = settle();
  lock.unlock();
  notify(wakes);
  return added != Added::kRefused;
}

template <QueueKey Key>
Added SharedQueue<Key>::add_at(View key, Duration delay, DelayMode mode, const Arrival& arrival) {
  const TimePoint now = clock_.now();
  MutexLock lock(mutex_);
  core_.advance(now);
  const Added added =
      delay <= Duration::zero()
          ? core_.add(key, core_.hash(key), arrival, now)
          : core_.add_at(key, core_.hash(key), saturating_add(now, delay), mode, arrival);
  const std::size_t wakes = settle();
  lock.unlock();
  notify(wakes);
  return added;
}

template <QueueKey Key>
bool SharedQueue<Key>::add_after(View key, Duration delay, DelayMode mode, const Arrival& arrival) {
  return add_at(key, delay, mode, arrival) != Added::kRefused;
}

template <QueueKey Key>
bool SharedQueue<Key>::add_rate_limited(View key, const AddOptions& options) {
  if (look([](const Core& core) { return core.shutting_down(); })) return false;
  const Duration delay = limiter_->next_delay(key);
  const Arrival arrival{options.priority, true, limiter_->num_requeues(key)};
  const Added added = add_at(key, delay, DelayMode::kEarliest, arrival);
  if (added == Added::kMerged || added == Added::kRefused) limiter_->give_back(key);
  return added != Added::kRefused;
}

template <QueueKey Key>
std::optional<Item<Key>> SharedQueue<Key>::start_next(TimePoint now) {
  const Handle handle = core_.take(now);
  if (handle == kNoHandle) return std::nullopt;
  return Item<Key>(*this, handle, core_.entry(handle));
}

template <QueueKey Key>
std::optional<Item<Key>> SharedQueue<Key>::try_get() {
  const TimePoint now = time_for_call();
  MutexLock lock(mutex_);
  core_.advance(now);
  std::optional<Item<Key>> item = start_next(now);
  notify(settle());
  return item;
}

template <QueueKey Key>
std::optional<Item<Key>> SharedQueue<Key>::get_until(TimePoint deadline,
                                                     const std::stop_token& stop) {
  TimePoint now = time_for_call();
  MutexLock lock(mutex_);
  std::optional<Item<Key>> item;
  while (!stop.stop_requested()) {
    core_.advance(now);
    item = start_next(now);
    if (item || core_.shutting_down()) break;
    if (deadline != TimePoint::max() && clock_.now() >= deadline) break;
    wait(deadline, stop);
    now = time_for_call();
  }
  notify(settle());
  return item;
}

template <QueueKey Key>
void SharedQueue<Key>::wait(TimePoint deadline, const std::stop_token& stop) {
  // One waiter watches the earliest delay. Who finds an earlier one than is watched takes over;
  // the other then wakes up once for nothing.
  const TimePoint due = core_.next_due();
  const bool watches = due < watched_due_;
  if (watches) watched_due_ = due;
  ++waiters_;
  clock_.wait_until(mutex_, ready_, watches ? std::min(due, deadline) : deadline, stop, [this] {
    mutex_.assert_held();
    return wakes_ > 0 || core_.shutting_down();
  });
  --waiters_;
  if (wakes_ > 0) --wakes_;
  if (watches && watched_due_ == due) watched_due_ = TimePoint::max();
  if (abandoned_ && waiters_ == 0) left_.notify_all();
}

template <QueueKey Key>
std::size_t SharedQueue<Key>::settle() {
  has_delays_.store(core_.delayed() > 0, std::memory_order_relaxed);
  if (waiters_ == 0) return 0;
  std::size_t wanted = std::min(core_.ready(), waiters_);
  if (wanted == 0 && core_.next_due() < watched_due_) wanted = 1;
  if (wanted <= wakes_) return 0;
  const std::size_t more = wanted - wakes_;
  wakes_ = wanted;
  return more;
}

template <QueueKey Key>
void SharedQueue<Key>::notify(std::size_t count) {
  for (; count > 0; --count) ready_.notify_one();
}

template <QueueKey Key>
void SharedQueue<Key>::finish(Handle handle) {
  MutexLock lock(mutex_);
  core_.finish(handle);
  if (abandoned_) {
    const bool last = core_.running() == 0;
    lock.unlock();
    if (last) delete this;
    return;
  }
  notify(settle());
  notify_if_idle();
}

}  // namespace windlass::workqueue::detail

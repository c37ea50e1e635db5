// SharedQueue: the lock and the waiting around a QueueCore.
//
// It lives until its WorkQueue and all items are gone. Notifications that may race with the
// queue's destruction are sent with the lock held; those of add() are not, since a caller of
// add() has the queue.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "windlass/base/clock.h"
#include "windlass/base/mutex.h"
#include "windlass/workqueue/item.h"
#include "windlass/workqueue/options.h"

namespace windlass::workqueue::detail {

// Invariant, whenever the lock is free:
//   wakes_ >= min(ready keys, waiters_): no key lies ready while a waiter sleeps on;
//   some waiter, or a wake-up under way, covers the earliest delay: watched_due_ <= next due.
template <QueueKey Key>
class SharedQueue {
 public:
  using View = KeyView<Key>;

  SharedQueue(Clock& clock, WorkQueueOptions<Key> options);

  bool add(View key, const Arrival& arrival) EXCLUDES(mutex_);
  bool add_after(View key, Duration delay, DelayMode mode, const Arrival& arrival) EXCLUDES(mutex_);
  bool add_rate_limited(View key, const AddOptions& options) EXCLUDES(mutex_);

  std::optional<Item<Key>> get_until(TimePoint deadline, const std::stop_token& stop)
      EXCLUDES(mutex_);
  std::optional<Item<Key>> try_get() EXCLUDES(mutex_);
  void finish(Handle handle) EXCLUDES(mutex_);

  void forget(View key) EXCLUDES(mutex_);
  bool cancel_delayed(View key) EXCLUDES(mutex_);
  bool remove(View key) EXCLUDES(mutex_);

  void shut_down() EXCLUDES(mutex_);
  bool drain(TimePoint deadline) EXCLUDES(mutex_);

  // The WorkQueue goes. Deletes this object, now or with the last item.
  void abandon() EXCLUDES(mutex_);

  // What `read` finds in the core, with what is due made ready.
  template <class Read>
  auto look(Read read) EXCLUDES(mutex_);

  RateLimiter<Key>& limiter() { return *limiter_; }
  const std::string& name() const { return name_; }
  std::size_t dropped_delayed() EXCLUDES(mutex_);

 private:
  using Core = QueueCore<Key>;

  Added add_at(View key, Duration delay, DelayMode mode, const Arrival& arrival) EXCLUDES(mutex_);

  // The time, where this call needs it: reading it costs as much as the rest of the call.
  TimePoint time_for_call() const {
    return record_times_ || has_delays_.load(std::memory_order_relaxed) ? clock_.now()
                                                                        : TimePoint{};
  }

  std::optional<Item<Key>> start_next(TimePoint now) REQUIRES(mutex_);
  void wait(TimePoint deadline, const std::stop_token& stop) REQUIRES(mutex_);
  void close() REQUIRES(mutex_);
  bool idle() const REQUIRES(mutex_) { return core_.ready() == 0 && core_.running() == 0; }

  // Restores the invariant; returns how many waiters to notify.
  std::size_t settle() REQUIRES(mutex_);
  void notify(std::size_t count);
  void notify_if_idle() REQUIRES(mutex_) {
    if (drainers_ > 0 && idle()) left_.notify_all();
  }

  Clock& clock_;
  const std::unique_ptr<RateLimiter<Key>> limiter_;
  const std::string name_;
  const bool record_times_;

  std::atomic<bool> has_delays_ = false;  // written under the lock, read as a hint

  Mutex mutex_;
  CondVar ready_;  // waiters in get()
  CondVar left_;   // drains, and the destructor
  Core core_ GUARDED_BY(mutex_);
  std::size_t waiters_ GUARDED_BY(mutex_) = 0;  // asleep in get()
  std::size_t wakes_ GUARDED_BY(mutex_) = 0;    // of those, how many are told to wake up
  TimePoint watched_due_ GUARDED_BY(mutex_) = TimePoint::max();  // some waiter wakes up then
  std::size_t drainers_ GUARDED_BY(mutex_) = 0;
  std::size_t shut_downs_ GUARDED_BY(mutex_) = 0;  // each ends the drains that wait
  std::size_t dropped_ GUARDED_BY(mutex_) = 0;
  bool abandoned_ GUARDED_BY(mutex_) = false;
};

}  // namespace windlass::workqueue::detail

#include "windlass/workqueue/detail/shared_queue_control_impl.h"
#include "windlass/workqueue/detail/shared_queue_impl.h"

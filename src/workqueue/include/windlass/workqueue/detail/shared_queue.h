// SharedQueue: the lock and the waiting around a QueueCore.
//
// It lives until its WorkQueue and all items are gone. Calls out are made with the lock released
// and counted in `inside_`, for which the destructor waits; set_on_wake() waits for those only that
// hold a share of the function it replaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/workqueue/detail/burst_lock.h"
#include "windlass/workqueue/detail/lazy_time.h"
#include "windlass/workqueue/detail/sleep_room.h"
#include "windlass/workqueue/item.h"
#include "windlass/workqueue/options.h"

namespace windlass::workqueue::detail {

// Invariant, whenever the lock is free:
//   wakes_ >= min(ready keys, waiters_): no key lies ready while a waiter sleeps on;
//   some waiter, or a wake-up under way, covers the earliest delay: watched_due_ <= next due;
//   while armed_, on_wake_ is there, and nothing has come that its owner does not know of.
template <QueueKey Key>
class SharedQueue {
 public:
  using View = KeyView<Key>;
  using MaybeItem = std::optional<Item<Key>>;

  SharedQueue(Clock& clock, WorkQueueOptions<Key> options);

  bool add(View key, const Arrival& arrival) EXCLUDES(lock_);
  std::size_t add_batch(std::span<const Key> keys, const Arrival& arrival) EXCLUDES(lock_);
  Added add_after(View key, Duration delay, DelayMode mode, const Arrival& arrival) EXCLUDES(lock_);
  bool add_rate_limited(View key, const AddOptions& options) EXCLUDES(lock_);

  MaybeItem get_until(TimePoint deadline, const std::stop_token& stop) EXCLUDES(lock_);
  MaybeItem try_get() EXCLUDES(lock_);
  std::vector<Item<Key>> get_batch(std::size_t max, TimePoint deadline, const std::stop_token& stop)
      EXCLUDES(lock_);
  void set_on_wake(std::function<void()> function) EXCLUDES(lock_);
  // `put_back`: the priority of the run, where it is to end as one that did not happen.
  void finish(Handle handle, std::optional<std::int32_t> put_back) EXCLUDES(lock_);

  void forget(View key) EXCLUDES(lock_);
  bool cancel_delayed(View key) EXCLUDES(lock_);
  bool remove(View key) EXCLUDES(lock_);
  std::optional<KeySnapshot<Key>> find(View key) EXCLUDES(lock_);
  void shut_down() EXCLUDES(lock_);
  bool drain(TimePoint deadline) EXCLUDES(lock_);

  // The WorkQueue goes. Deletes this object, now or with the last item.
  void abandon() EXCLUDES(lock_);

  // What `read(core, now)` finds, with what is due made ready.
  template <class Read>
  auto look(Read read) EXCLUDES(lock_);

  RateLimiter<Key>& limiter() { return *limiter_; }
  const std::string& name() const { return name_; }

 private:
  using Core = QueueCore<Key>;
  using OnWake = std::function<void()>;

  LazyTime time() const { return LazyTime(clock_, record_times_); }
  void advance(LazyTime& now) REQUIRES(lock_) {
    if (core_.delayed() > 0) core_.advance(now.read());
  }

  // Runs `step`, which changes nothing when it throws. What advance() did before is then still to
  // be told.
  template <class Step>
  auto settle_if_thrown(Step step) REQUIRES(lock_);

  // Starts the next run, if there is one; arms on_wake if there is none.
  void take(LazyTime& now, MaybeItem& item) REQUIRES(lock_);

  // Waits until something is ready, the deadline, a stop request or the end; what is due is ready.
  void await_ready(LazyTime& now, TimePoint deadline, const std::stop_token& stop) REQUIRES(lock_);
  void sleep(TimePoint deadline, const std::stop_token& stop) REQUIRES(lock_);

  // The end of every call that may have changed something: restores the invariant and calls
  // `report` and on_wake where there is anything to call, with the lock released meanwhile.
  // Returns how many waiters are still to be woken: with the lock held or, where the caller is
  // known to have the queue, better without it.
  template <class Report>
  std::size_t settle(Report report) REQUIRES(lock_);
  std::size_t new_wakes() REQUIRES(lock_);
  void arm(TimePoint known_due, bool known_over) REQUIRES(lock_);
  bool owes_call() REQUIRES(lock_);
  template <class Report>
  void tell_observer(Report report) noexcept REQUIRES(lock_);
  void call_on_wake() noexcept REQUIRES(lock_);
  void wake(std::size_t waiters) {
    if (waiters > 0) ready_.wake(waiters);
  }

  // Sleeps until a drain, a setter or the destructor has reason to look again.
  void await_change(TimePoint deadline) REQUIRES(lock_);
  void close() REQUIRES(lock_);
  void tell_drainers() REQUIRES(lock_) {
    if (drainers_ > 0) left_.wake_all();
  }
  // Some thread waits until nobody is inside or asleep here.
  void tell_remover() REQUIRES(lock_) {
    if (abandoned_ || setters_ > 0) left_.wake_all();
  }

  Clock& clock_;
  const std::unique_ptr<RateLimiter<Key>> limiter_;
  const std::string name_;
  const bool record_times_;
  const std::shared_ptr<QueueObserver> observer_;
  const std::uint64_t seed_;

  SleepRoom ready_;  // waiters in get()
  SleepRoom left_;   // drains, and the destructor

  BurstLock lock_;
  Core core_ GUARDED_BY(lock_);
  std::size_t waiters_ GUARDED_BY(lock_) = 0;  // in the sleep of get()
  std::size_t wakes_ GUARDED_BY(lock_) = 0;    // of those, how many are being woken
  TimePoint watched_due_ GUARDED_BY(lock_) = TimePoint::max();  // some waiter wakes up then
  std::shared_ptr<const OnWake> on_wake_ GUARDED_BY(lock_);     // whoever calls it holds a share
  bool armed_ GUARDED_BY(lock_) = false;                        // on_wake is owed a call
  bool armed_over_ GUARDED_BY(lock_) = false;                   // its owner knows that it is over
  TimePoint armed_due_ GUARDED_BY(lock_) = TimePoint::max();    // the delay its owner knows of
  std::uint64_t adds_reported_ GUARDED_BY(lock_) = 0;
  std::size_t drainers_ GUARDED_BY(lock_) = 0;
  std::size_t setters_ GUARDED_BY(lock_) = 0;     // in set_on_wake()
  bool setting_ GUARDED_BY(lock_) = false;        // one of them is at it
  std::size_t inside_ GUARDED_BY(lock_) = 0;      // calling out with the lock released
  std::size_t shut_downs_ GUARDED_BY(lock_) = 0;  // each ends the drains that wait
  bool abandoned_ GUARDED_BY(lock_) = false;      // the WorkQueue waits for its threads to leave
  bool orphaned_ GUARDED_BY(lock_) = false;       // it is gone
};

}  // namespace windlass::workqueue::detail

#include "windlass/workqueue/detail/shared_queue_add_impl.h"
#include "windlass/workqueue/detail/shared_queue_control_impl.h"
#include "windlass/workqueue/detail/shared_queue_impl.h"
#include "windlass/workqueue/detail/shared_queue_settle_impl.h"

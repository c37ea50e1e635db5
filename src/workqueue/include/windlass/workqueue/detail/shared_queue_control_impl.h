// The bodies of SharedQueue: forgetting, removing, looking and ending. Include
// windlass/workqueue/work_queue.h instead.
#pragma once

#include <utility>

#include "windlass/workqueue/detail/shared_queue.h"

namespace windlass::workqueue::detail {

template <QueueKey Key>
void SharedQueue<Key>::forget(View key) {
  if (!limiter_->forget(key)) return;
  MutexLock lock(mutex_);
  core_.reset_failures(key, core_.hash(key));
}

template <QueueKey Key>
bool SharedQueue<Key>::cancel_delayed(View key) {
  const TimePoint now = time_for_call();
  MutexLock lock(mutex_);
  core_.advance(now);
  const bool cancelled = core_.cancel_delayed(key, core_.hash(key));
  notify(settle());
  return cancelled;
}

template <QueueKey Key>
bool SharedQueue<Key>::remove(View key) {
  const TimePoint now = time_for_call();
  MutexLock lock(mutex_);
  core_.advance(now);
  const bool removed = core_.remove(key, core_.hash(key));
  notify(settle());
  notify_if_idle();
  return removed;
}

template <QueueKey Key>
template <class Read>
auto SharedQueue<Key>::look(Read read) {
  const TimePoint now = has_delays_.load(std::memory_order_relaxed) ? clock_.now() : TimePoint{};
  MutexLock lock(mutex_);
  core_.advance(now);
  auto found = read(std::as_const(core_));
  notify(settle());
  return found;
}

template <QueueKey Key>
std::size_t SharedQueue<Key>::dropped_delayed() {
  MutexLock lock(mutex_);
  return dropped_;
}

template <QueueKey Key>
void SharedQueue<Key>::close() {
  if (core_.shutting_down()) return;
  dropped_ += core_.shut_down();
  has_delays_.store(false, std::memory_order_relaxed);
  ready_.notify_all();
}

template <QueueKey Key>
void SharedQueue<Key>::shut_down() {
  const TimePoint now = time_for_call();
  MutexLock lock(mutex_);
  core_.advance(now);
  close();
  ++shut_downs_;
  left_.notify_all();
}

template <QueueKey Key>
bool SharedQueue<Key>::drain(TimePoint deadline) {
  const TimePoint now = time_for_call();
  MutexLock lock(mutex_);
  core_.advance(now);
  close();
  const std::size_t seen = shut_downs_;
  ++drainers_;
  clock_.wait_until(mutex_, left_, deadline, {}, [this, seen] {
    mutex_.assert_held();
    return idle() || shut_downs_ != seen;
  });
  --drainers_;
  if (abandoned_ && drainers_ == 0) left_.notify_all();
  return idle();
}

template <QueueKey Key>
void SharedQueue<Key>::abandon() {
  shut_down();
  MutexLock lock(mutex_);
  abandoned_ = true;
  clock_.wait(mutex_, left_, {}, [this] {
    mutex_.assert_held();
    return waiters_ == 0 && drainers_ == 0;
  });
  const bool last = core_.running() == 0;
  lock.unlock();
  if (last) delete this;
}

}  // namespace windlass::workqueue::detail

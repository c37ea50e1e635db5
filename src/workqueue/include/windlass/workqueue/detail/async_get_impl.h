// The bodies of AsyncGet. Include windlass/workqueue/async_get.h instead.
#pragma once

#include <optional>
#include <utility>

#include "windlass/workqueue/async_get.h"

namespace windlass::workqueue {

template <QueueKey Key>
void AsyncGet<Key>::wait(Next& next) noexcept {
  next.on_stop_.emplace(next.stop_, typename Next::Stop{&next});  // may call stop() at once
  bool stopped = false;
  {
    MutexLock lock(mutex_);
    stopped = next.stopped_;
    next.waits_ = !stopped;
    (stopped ? chosen_ : waiting_).push_back(next);
  }
  // From here on `next` may be gone.
  if (stopped) {
    post_resume();
  } else {
    pump();
  }
}

template <QueueKey Key>
void AsyncGet<Key>::stop(Next& next) noexcept {
  {
    MutexLock lock(mutex_);
    next.stopped_ = true;
    if (!next.waits_) return;  // not yet, or a key is on its way
    choose(next);
  }
  post_resume();
}

template <QueueKey Key>
void AsyncGet<Key>::leave(Next& next) {
  next.on_stop_.reset();  // waits for a stop() in another thread
  {
    MutexLock lock(mutex_);
    next.unlink();
  }
  if (next.item_) next.item_->put_back();
}

template <QueueKey Key>
void AsyncGet<Key>::choose(Next& next) {
  next.waits_ = false;
  next.unlink();
  chosen_.push_back(next);
}

template <QueueKey Key>
void AsyncGet<Key>::post_resume() {
  executor_.post([this, line = lifeline_.holder()] {
    std::coroutine_handle<> waiter;
    line.run([&] { waiter = next_to_resume(); });
    if (waiter) waiter.resume();  // without the line: it may end this object
  });
}

template <QueueKey Key>
std::coroutine_handle<> AsyncGet<Key>::next_to_resume() {
  MutexLock lock(mutex_);
  if (chosen_.empty()) return nullptr;  // destroyed meanwhile
  Next& next = static_cast<Next&>(chosen_.front());
  next.unlink();
  return next.waiter_;
}

template <QueueKey Key>
void AsyncGet<Key>::pump() noexcept {
  {
    MutexLock lock(mutex_);
    again_ = true;
    if (pumping_) return;
    pumping_ = true;
  }
  while (wants_more()) {
    while (give_one()) {
    }
    watch_delay();
  }
}

template <QueueKey Key>
bool AsyncGet<Key>::wants_more() {
  MutexLock lock(mutex_);
  pumping_ = std::exchange(again_, false);
  return pumping_;
}

template <QueueKey Key>
bool AsyncGet<Key>::give_one() {
  {
    MutexLock lock(mutex_);
    if (waiting_.empty()) return false;
  }
  std::optional<Item<Key>> item = queue_.try_get();
  if (!item && !queue_.over()) return false;
  MutexLock lock(mutex_);
  if (waiting_.empty()) {  // whoever waited has left meanwhile
    lock.unlock();
    if (item) item->put_back();
    return false;
  }
  Next& next = static_cast<Next&>(waiting_.front());
  next.item_ = std::move(item);
  choose(next);
  lock.unlock();
  post_resume();
  return true;
}

template <QueueKey Key>
void AsyncGet<Key>::watch_delay() {
  const TimePoint due = queue_.next_due();
  if (due == TimePoint::max()) return;
  {
    MutexLock lock(mutex_);
    // A timer that comes sooner looks again.
    if (waiting_.empty() || (!timers_.empty() && *timers_.begin() <= due)) return;
    timers_.insert(due);
  }
  executor_.post_at(
      due, [this, due, line = lifeline_.holder()] { line.run([this, due] { on_timer(due); }); });
}

template <QueueKey Key>
void AsyncGet<Key>::on_timer(TimePoint due) {
  {
    MutexLock lock(mutex_);
    timers_.erase(due);
  }
  pump();
}

}  // namespace windlass::workqueue

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
    executor_.post([this] { resume_one(); });
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
  executor_.post([this] { resume_one(); });
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
void AsyncGet<Key>::resume_one() {
  std::coroutine_handle<> waiter;
  {
    MutexLock lock(mutex_);
    if (chosen_.empty()) return;  // destroyed meanwhile
    Next& next = static_cast<Next&>(chosen_.front());
    next.unlink();
    waiter = next.waiter_;
  }
  waiter.resume();
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
  executor_.post([this] { resume_one(); });
  return true;
}

template <QueueKey Key>
void AsyncGet<Key>::watch_delay() {
  const TimePoint due = queue_.next_due();
  {
    MutexLock lock(mutex_);
    if (waiting_.empty() || due >= timer_due_) return;
    timer_due_ = due;
  }
  executor_.post_at(due, [this, due] {
    {
      MutexLock lock(mutex_);
      if (timer_due_ == due) timer_due_ = TimePoint::max();
    }
    pump();
  });
}

}  // namespace windlass::workqueue

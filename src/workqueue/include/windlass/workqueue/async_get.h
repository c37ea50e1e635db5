// AsyncGet: taking keys from a queue in coroutines, without a thread that waits.
//
//   while (auto item = co_await keys.next()) { ... }
//
// Each next() takes one key at most, and nothing is taken that no coroutine asked for: as many keys
// run as there are coroutines. Coroutines go on in the executor, never in the thread that added
// the key.
//
// Thread safety: all members may be called from any thread. Lifetime: queue and executor outlive
// the AsyncGet, which outlives the coroutines that wait in it and the calls the executor holds.
#pragma once

#include <coroutine>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "windlass/base/mutex.h"
#include "windlass/base/time.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::workqueue {

// Where coroutines go on: an event loop, or a pool of threads.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual void post(std::function<void()> call) = 0;
  virtual void post_at(TimePoint when, std::function<void()> call) = 0;
};

// Invariant: while a coroutine waits and nobody pumps, the queue will call on_wake or a timer runs.
template <QueueKey Key>
class AsyncGet {
 public:
  class Next {
   public:
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> waiter) {
      waiter_ = waiter;
      owner_.wait(*this);
    }
    std::optional<Item<Key>> await_resume() { return std::move(item_); }

   private:
    friend class AsyncGet;
    explicit Next(AsyncGet& owner) : owner_(owner) {}

    AsyncGet& owner_;
    std::coroutine_handle<> waiter_;
    std::optional<Item<Key>> item_;
  };

  // Takes the queue's on_wake for itself.
  AsyncGet(WorkQueue<Key>& queue, Executor& executor) : queue_(queue), executor_(executor) {
    queue_.set_on_wake([this] { pump(); });
  }
  ~AsyncGet() { queue_.set_on_wake(nullptr); }
  AsyncGet(const AsyncGet&) = delete;
  AsyncGet& operator=(const AsyncGet&) = delete;

  // The next key; nothing once the queue is shut down and has no ready key. To be awaited once.
  Next next() { return Next(*this); }

 private:
  void wait(Next& next) EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      waiting_.push_back(&next);
    }
    pump();
  }

  // Gives keys to coroutines while there are both. One thread at a time; another that comes
  // meanwhile leaves word that it is worth another look.
  void pump() EXCLUDES(mutex_) {
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

  bool wants_more() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    pumping_ = std::exchange(again_, false);
    return pumping_;
  }

  bool give_one() EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      if (waiting_.empty()) return false;
    }
    std::optional<Item<Key>> item = queue_.try_get();
    if (!item && !queue_.shutting_down()) return false;
    MutexLock lock(mutex_);
    Next* next = waiting_.front();
    waiting_.pop_front();
    next->item_ = std::move(item);
    lock.unlock();
    executor_.post([next] { next->waiter_.resume(); });
    return true;
  }

  // The queue has no thread that would notice a delay's end.
  void watch_delay() EXCLUDES(mutex_) {
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

  WorkQueue<Key>& queue_;
  Executor& executor_;

  Mutex mutex_;
  std::deque<Next*> waiting_ GUARDED_BY(mutex_);
  bool pumping_ GUARDED_BY(mutex_) = false;
  bool again_ GUARDED_BY(mutex_) = false;
  TimePoint timer_due_ GUARDED_BY(mutex_) = TimePoint::max();
};

}  // namespace windlass::workqueue

// AsyncGet: taking keys from a queue in coroutines, without a thread that waits.
//
//   while (auto item = co_await keys.next(stop)) { ... }
//
// Each next() takes one key at most, and nothing is taken that no coroutine asked for: as many keys
// run as there are coroutines. Coroutines go on in the executor, never in the thread that added
// the key.
//
// Thread safety: all members may be called from any thread. Lifetime: queue and executor outlive
// the AsyncGet, which outlives the coroutines that wait in it. Calls that the executor still holds
// then do nothing.
#pragma once

#include <coroutine>
#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <utility>

#include "windlass/base/mutex.h"
#include "windlass/base/time.h"
#include "windlass/workqueue/detail/lifeline.h"
#include "windlass/workqueue/detail/waiter_list.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::workqueue {

// Where coroutines go on: an event loop, or a pool of threads. An exception out of post() or
// post_at() ends the program: it may come in the thread of whoever added the key, and the coroutine
// that it is about would wait for good.
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
  // What next() returns. A coroutine that waits in it may be destroyed, though not while the
  // executor resumes it: a key that was on its way to it goes back to the queue.
  class Next : detail::WaiterLink {
   public:
    Next(const Next&) = delete;
    Next& operator=(const Next&) = delete;
    ~Next() { owner_.leave(*this); }

    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> waiter) {
      waiter_ = waiter;
      owner_.wait(*this);
    }
    std::optional<Item<Key>> await_resume() { return std::move(item_); }

   private:
    friend class AsyncGet;
    struct Stop {
      Next* next;
      void operator()() const noexcept { next->owner_.stop(*next); }
    };
    Next(AsyncGet& owner, std::stop_token stop) : owner_(owner), stop_(std::move(stop)) {}

    AsyncGet& owner_;
    const std::stop_token stop_;
    std::coroutine_handle<> waiter_;
    std::optional<std::stop_callback<Stop>> on_stop_;

    // Behind the owner's mutex until it is resumed.
    bool waits_ = false;    // in `waiting_`
    bool stopped_ = false;  // before or while it waited
    std::optional<Item<Key>> item_;
  };

  // Takes the queue's on_wake for itself.
  AsyncGet(WorkQueue<Key>& queue, Executor& executor) : queue_(queue), executor_(executor) {
    queue_.set_on_wake([this] { pump(); });
  }
  ~AsyncGet() {
    queue_.set_on_wake(nullptr);
    lifeline_.cut();
  }
  AsyncGet(const AsyncGet&) = delete;
  AsyncGet& operator=(const AsyncGet&) = delete;

  // The next key; nothing once the queue is over(), or when `stop` is requested. To be awaited
  // once.
  Next next(std::stop_token stop = {}) { return Next(*this, std::move(stop)); }

 private:
  void wait(Next& next) noexcept EXCLUDES(mutex_);
  void stop(Next& next) noexcept EXCLUDES(mutex_);
  void leave(Next& next) EXCLUDES(mutex_);
  void choose(Next& next) REQUIRES(mutex_);
  void post_resume();
  std::coroutine_handle<> next_to_resume() EXCLUDES(mutex_);

  // Gives keys to coroutines while there are both. One thread at a time; another that comes
  // meanwhile leaves word that it is worth another look.
  void pump() noexcept EXCLUDES(mutex_);
  bool wants_more() EXCLUDES(mutex_);
  bool give_one() EXCLUDES(mutex_);

  // The queue has no thread that would notice a delay's end.
  void watch_delay() EXCLUDES(mutex_);
  void on_timer(TimePoint due) EXCLUDES(mutex_);

  WorkQueue<Key>& queue_;
  Executor& executor_;

  Mutex mutex_;
  detail::WaiterList waiting_ GUARDED_BY(mutex_);
  detail::WaiterList chosen_ GUARDED_BY(mutex_);  // each is to be resumed by a call posted
  bool pumping_ GUARDED_BY(mutex_) = false;
  bool again_ GUARDED_BY(mutex_) = false;
  std::set<TimePoint> timers_ GUARDED_BY(mutex_);  // each is to come

  detail::Lifeline lifeline_;  // of the calls posted
};

}  // namespace windlass::workqueue

#include "windlass/workqueue/detail/async_get_impl.h"

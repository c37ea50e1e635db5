// Timers: what is to be called when. Passive: fire_due() calls what is due, run() is the loop that
// a thread does this in.
//
// Thread safety: all members may be called from any thread. No callback is called under the lock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <stop_token>
#include <unordered_map>

#include "task.h"
#include "windlass/base/clock.h"

namespace windlass::registry {

class Timers {
 public:
  using Id = std::uint64_t;
  using Callback = std::move_only_function<void()>;

  Id next_id() EXCLUDES(mutex_);

  // `id` comes from next_id(). Due at once when `stop` has been requested by now.
  void add(Id id, TimePoint due, const std::stop_token& stop, Callback callback) EXCLUDES(mutex_);

  // Due at once. Nothing happens when `id` has fired.
  void expedite(Id id) EXCLUDES(mutex_);

  // Never called any more, unless it is being called now.
  void cancel(Id id) EXCLUDES(mutex_);

  // Calls `callback` from the loop.
  void post(Callback callback) { add(next_id(), TimePoint::min(), {}, std::move(callback)); }

  // Waits until `due` or until `stop` is requested; which of them, `stop` tells.
  Task<bool> pause_until(TimePoint due, std::stop_token stop);

  TimePoint next_due() const EXCLUDES(mutex_);  // TimePoint::max() when there is nothing

  // Calls what is due, one after the other; returns how many. What the callbacks add waits for the
  // next call.
  std::size_t fire_due(TimePoint now) EXCLUDES(mutex_);

  void run(Clock& clock, const std::stop_token& stop) EXCLUDES(mutex_);

 private:
  using Key = std::pair<TimePoint, Id>;

  mutable Mutex mutex_;
  CondVar changed_;
  Id last_id_ GUARDED_BY(mutex_) = 0;
  std::map<Key, Callback> queue_ GUARDED_BY(mutex_);
  std::unordered_map<Id, TimePoint> due_ GUARDED_BY(mutex_);
};

}  // namespace windlass::registry

#include "timers.h"

#include <vector>

namespace windlass::registry {

Timers::Id Timers::next_id() {
  MutexLock lock(mutex_);
  return ++last_id_;
}

void Timers::add(Id id, TimePoint due, const std::stop_token& stop, Callback callback) {
  bool is_next = false;
  {
    MutexLock lock(mutex_);
    // Looked at under the lock: a stop that comes later finds the entry and expedites it.
    if (stop.stop_requested()) due = TimePoint::min();
    is_next = queue_.empty() || due < queue_.begin()->first.first;
    queue_.emplace(Key(due, id), std::move(callback));
    due_.emplace(id, due);
  }
  if (is_next) changed_.notify_one();
}

void Timers::expedite(Id id) {
  {
    MutexLock lock(mutex_);
    const auto found = due_.find(id);
    if (found == due_.end()) return;
    auto node = queue_.extract(Key(found->second, id));
    found->second = TimePoint::min();
    node.key() = Key(TimePoint::min(), id);
    queue_.insert(std::move(node));
  }
  changed_.notify_one();
}

void Timers::cancel(Id id) {
  Callback callback;  // destroyed after the lock: it may own much
  MutexLock lock(mutex_);
  const auto found = due_.find(id);
  if (found == due_.end()) return;
  auto node = queue_.extract(Key(found->second, id));
  callback = std::move(node.mapped());
  due_.erase(found);
}

Task<bool> Timers::pause_until(TimePoint due, std::stop_token stop) {
  const Id id = next_id();
  const std::stop_callback wake(stop, [this, id] { expedite(id); });
  Completion<bool> woken([&](Completion<bool>::Callback done) {
    add(id, due, stop, [done = std::move(done)]() mutable { done(true); });
  });
  co_return co_await woken;
}

TimePoint Timers::next_due() const {
  MutexLock lock(mutex_);
  return queue_.empty() ? TimePoint::max() : queue_.begin()->first.first;
}

std::size_t Timers::fire_due(TimePoint now) {
  std::vector<Callback> due;
  {
    MutexLock lock(mutex_);
    while (!queue_.empty() && queue_.begin()->first.first <= now) {
      due_.erase(queue_.begin()->first.second);
      due.push_back(std::move(queue_.begin()->second));
      queue_.erase(queue_.begin());
    }
  }
  for (Callback& callback : due) callback();
  return due.size();
}

void Timers::run(Clock& clock, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      MutexLock lock(mutex_);
      const TimePoint next = queue_.empty() ? TimePoint::max() : queue_.begin()->first.first;
      clock.wait_until(mutex_, changed_, next, stop, [&] {
        mutex_.assert_held();
        return (queue_.empty() ? TimePoint::max() : queue_.begin()->first.first) != next ||
               next <= clock.now();
      });
    }
    fire_due(clock.now());
  }
}

}  // namespace windlass::registry

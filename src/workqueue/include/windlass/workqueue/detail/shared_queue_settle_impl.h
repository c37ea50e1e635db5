// The bodies of SharedQueue: telling waiters, observers and on_wake. Include
// windlass/workqueue/work_queue.h instead.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "windlass/workqueue/detail/shared_queue.h"

namespace windlass::workqueue::detail {

template <QueueKey Key>
template <class Step>
auto SharedQueue<Key>::settle_if_thrown(Step step) {
  try {
    return step();
  } catch (...) {
    wake(settle([] {}));
    throw;
  }
}

template <QueueKey Key>
std::size_t SharedQueue<Key>::new_wakes() {
  if (waiters_ <= wakes_) return 0;
  std::size_t wanted = core_.over() ? waiters_ : std::min(core_.ready(), waiters_);
  if (wanted == 0 && core_.next_due() < watched_due_) wanted = 1;
  return wanted > wakes_ ? wanted - std::exchange(wakes_, wanted) : 0;
}

template <QueueKey Key>
void SharedQueue<Key>::arm(TimePoint known_due, bool known_over) {
  armed_ = on_wake_ != nullptr;
  armed_due_ = known_due;
  armed_over_ = known_over;
}

template <QueueKey Key>
bool SharedQueue<Key>::owes_call() {
  if (!armed_) return false;
  armed_ = core_.ready() == 0 && core_.next_due() >= armed_due_ && core_.over() <= armed_over_;
  return !armed_;
}

template <QueueKey Key>
template <class Report>
std::size_t SharedQueue<Key>::settle(Report report) {
  std::size_t wakes = new_wakes();
  if (observer_) {
    wake(std::exchange(wakes, 0));
    tell_observer(report);
  }
  if (owes_call()) {
    wake(std::exchange(wakes, 0));
    call_on_wake();
  }
  return wakes;
}

template <QueueKey Key>
template <class Report>
void SharedQueue<Key>::tell_observer(Report report) noexcept {
  const std::size_t adds = core_.adds() - std::exchange(adds_reported_, core_.adds());
  ++inside_;
  lock_.unlock();
  if (adds > 0) observer_->on_add(adds);
  report();
  lock_.lock();
  --inside_;
  tell_remover();
}

template <QueueKey Key>
void SharedQueue<Key>::call_on_wake() noexcept {
  std::shared_ptr<const OnWake> on_wake = on_wake_;
  ++inside_;
  lock_.unlock();
  (*on_wake)();
  lock_.lock();
  on_wake.reset();  // with the lock, and never the last: set_on_wake() counts the shares
  --inside_;
  tell_remover();
}

}  // namespace windlass::workqueue::detail

// The bodies of SharedQueue: forgetting, removing, looking and ending. Include
// windlass/workqueue/work_queue.h instead.
#pragma once

#include <utility>

#include "windlass/workqueue/detail/shared_queue.h"

namespace windlass::workqueue::detail {

template <QueueKey Key>
void SharedQueue<Key>::forget(View key) {
  if (!limiter_->forget(key)) return;
  const std::uint32_t hash = Core::hash_of(key, seed_);
  BurstGuard guard(lock_);
  core_.reset_failures(key, hash);
}

template <QueueKey Key>
bool SharedQueue<Key>::cancel_delayed(View key) {
  const std::uint32_t hash = Core::hash_of(key, seed_);
  LazyTime now = time();
  BurstGuard guard(lock_);
  advance(now);
  const bool cancelled = settle_if_thrown([&] {
    lock_.assert_held();
    return core_.cancel_delayed(key, hash);
  });
  const std::size_t wakes = settle([] {});
  guard.unlock();
  wake(wakes);
  return cancelled;
}

template <QueueKey Key>
bool SharedQueue<Key>::remove(View key) {
  limiter_->forget(key);
  const std::uint32_t hash = Core::hash_of(key, seed_);
  LazyTime now = time();
  BurstGuard guard(lock_);
  advance(now);
  const bool removed = settle_if_thrown([&] {
    lock_.assert_held();
    return core_.remove(key, hash);
  });
  if (core_.idle()) tell_drainers();
  const std::size_t wakes = settle([] {});
  guard.unlock();
  wake(wakes);
  return removed;
}

template <QueueKey Key>
template <class Read>
auto SharedQueue<Key>::look(Read read) {
  LazyTime now = time();
  BurstGuard guard(lock_);
  advance(now);
  auto found = settle_if_thrown([&] {
    lock_.assert_held();
    return read(std::as_const(core_), now);
  });
  const std::size_t wakes = settle([] {});
  guard.unlock();
  wake(wakes);
  return found;
}

template <QueueKey Key>
std::optional<KeySnapshot<Key>> SharedQueue<Key>::find(View key) {
  const std::uint32_t hash = Core::hash_of(key, seed_);
  return look([&](const Core& core, LazyTime&) { return core.find(key, hash); });
}

template <QueueKey Key>
void SharedQueue<Key>::close() {
  if (!core_.shutting_down()) core_.shut_down();
}

template <QueueKey Key>
void SharedQueue<Key>::shut_down() {
  LazyTime now = time();
  BurstGuard guard(lock_);
  advance(now);
  close();
  ++shut_downs_;
  tell_drainers();
  const std::size_t wakes = settle([] {});
  guard.unlock();
  wake(wakes);
}

template <QueueKey Key>
bool SharedQueue<Key>::drain(TimePoint deadline) {
  LazyTime now = time();
  BurstGuard guard(lock_);
  advance(now);
  close();
  wake(settle([] {}));
  const std::size_t seen = shut_downs_;
  ++drainers_;
  while (!core_.idle() && shut_downs_ == seen) {
    if (deadline != TimePoint::max() && clock_.now() >= deadline) break;
    await_change(deadline);
  }
  --drainers_;
  tell_remover();
  return core_.idle();
}

template <QueueKey Key>
void SharedQueue<Key>::await_change(TimePoint deadline) {
  const std::uint64_t epoch = left_.epoch();
  lock_.unlock();
  left_.sleep(clock_, epoch, deadline, {});
  lock_.lock();
}

template <QueueKey Key>
void SharedQueue<Key>::set_on_wake(std::function<void()> function) {
  const auto next = function ? std::make_shared<const OnWake>(std::move(function)) : nullptr;
  std::shared_ptr<const OnWake> old;  // goes without the lock: what it holds may call the queue
  LazyTime now = time();
  BurstGuard guard(lock_);
  ++setters_;
  while (setting_) await_change(TimePoint::max());
  setting_ = true;
  armed_ = false;
  old.swap(on_wake_);
  while (old && old.use_count() > 1) await_change(TimePoint::max());
  setting_ = false;
  --setters_;
  tell_remover();
  on_wake_ = next;
  arm(TimePoint::max(), false);
  advance(now);
  const std::size_t wakes = settle([] {});
  guard.unlock();
  wake(wakes);
}

template <QueueKey Key>
void SharedQueue<Key>::abandon() {
  shut_down();
  BurstGuard guard(lock_);
  abandoned_ = true;
  ready_.wake_all();
  while (waiters_ > 0 || drainers_ > 0 || inside_ > 0) await_change(TimePoint::max());
  orphaned_ = true;
  const bool last = core_.running() == 0;
  guard.unlock();
  if (last) delete this;
}

}  // namespace windlass::workqueue::detail

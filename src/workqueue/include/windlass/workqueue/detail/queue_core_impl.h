// The bodies of QueueCore. Include windlass/workqueue/detail/queue_core.h instead.
#pragma once

#include <algorithm>

#include "windlass/workqueue/detail/queue_core.h"

namespace windlass::workqueue::detail {

template <class Key>
bool QueueCore<Key>::advance(TimePoint now) {
  bool any = false;
  while (!delays_.empty() && delays_.next_due() <= now) {
    const Handle handle = delays_.top();
    const TimePoint due = delays_.next_due();
    delays_.erase(0, positions());
    KeyState& state = index_.state(handle);
    if (state.is(KeyState::kReady)) continue;
    if (!state.is(KeyState::kRunning)) {
      make_ready(handle, due);
      any = true;
    } else if (!state.is(KeyState::kRerun)) {
      state.flags |= KeyState::kRerun;
      state.added = due;
      ++reruns_;
    }
  }
  return any;
}

template <class Key>
Added QueueCore<Key>::add(View key, std::uint32_t hash, const Arrival& arrival, TimePoint now) {
  if (shutting_down_) return Added::kRefused;
  Handle handle = index_.find(key, hash);
  if (handle == kNoHandle) {
    if (index_.size() >= keys_max_) return Added::kRefused;
    handle = index_.insert(key, hash);
  }
  KeyState& state = index_.state(handle);
  if (arrival.retry && state.is(KeyState::kNoRetry)) return Added::kRefused;
  set_priority(handle, arrival);
  if (state.is(KeyState::kReady | KeyState::kRerun)) return Added::kMerged;
  if (state.is(KeyState::kRunning)) {
    state.flags |= KeyState::kRerun;
    state.added = now;
    ++reruns_;
    return Added::kRerun;
  }
  make_ready(handle, now);
  return Added::kReady;
}

template <class Key>
Added QueueCore<Key>::add_at(View key, std::uint32_t hash, TimePoint due, DelayMode mode,
                             const Arrival& arrival) {
  if (shutting_down_) return Added::kRefused;
  Handle handle = index_.find(key, hash);
  if (handle == kNoHandle) {
    if (index_.size() >= keys_max_) return Added::kRefused;
    handle = index_.insert(key, hash);
  }
  KeyState& state = index_.state(handle);
  if (arrival.retry && state.is(KeyState::kNoRetry)) return Added::kRefused;
  set_priority(handle, arrival);
  if (state.delayed()) {
    const TimePoint planned = delays_.due_at(state.heap_position);
    if (mode == DelayMode::kEarliest && planned <= due) return Added::kMerged;
    if (mode == DelayMode::kLatest && planned >= due) return Added::kMerged;
    delays_.erase(state.heap_position, positions());
    delays_.push(due, handle, positions());
    return Added::kMerged;
  }
  delays_.push(due, handle, positions());
  return Added::kDelayed;
}

template <class Key>
Handle QueueCore<Key>::take(TimePoint now) {
  if (ready_.size() == 0) return kNoHandle;
  const Handle handle = ready_.pop(now, states());
  KeyState& state = index_.state(handle);
  state.flags = static_cast<std::uint8_t>((state.flags & ~KeyState::kReady) | KeyState::kRunning);
  state.started = now;
  running_.push_back(handle, states());
  if (const Handle next = ready_.peek(); next != kNoHandle) {
    index_.prefetch(index_.state(next).hash);
  }
  return handle;
}

template <class Key>
bool QueueCore<Key>::finish(Handle handle) {
  KeyState& state = index_.state(handle);
  running_.erase(handle, states());
  const bool again = state.is(KeyState::kRerun);
  state.flags = 0;
  if (again) {
    --reruns_;
    make_ready(handle, state.added);
  } else {
    erase_if_idle(handle);
  }
  return again;
}

template <class Key>
bool QueueCore<Key>::cancel_delayed(View key, std::uint32_t hash) {
  const Handle handle = index_.find(key, hash);
  if (handle == kNoHandle || !index_.state(handle).delayed()) return false;
  drop_delay(handle);
  return true;
}

template <class Key>
bool QueueCore<Key>::remove(View key, std::uint32_t hash) {
  const Handle handle = index_.find(key, hash);
  if (handle == kNoHandle) return false;
  KeyState& state = index_.state(handle);
  const bool any = state.waiting();
  if (state.is(KeyState::kReady)) ready_.erase(handle, states());
  if (state.is(KeyState::kRerun)) --reruns_;
  state.flags &= KeyState::kRunning;
  if (state.is(KeyState::kRunning)) state.flags |= KeyState::kNoRetry;
  if (state.delayed()) {
    drop_delay(handle);
  } else {
    erase_if_idle(handle);
  }
  return any;
}

template <class Key>
void QueueCore<Key>::reset_failures(View key, std::uint32_t hash) {
  const Handle handle = index_.find(key, hash);
  if (handle != kNoHandle) index_.state(handle).failures = 0;
}

template <class Key>
std::size_t QueueCore<Key>::shut_down() {
  shutting_down_ = true;
  const std::size_t dropped = delays_.size();
  for (std::size_t i = 0; i < dropped; ++i) {
    const Handle handle = delays_.handle_at(static_cast<std::uint32_t>(i));
    index_.state(handle).heap_position = kNotInHeap;
    erase_if_idle(handle);
  }
  delays_.clear();
  return dropped;
}

template <class Key>
void QueueCore<Key>::set_priority(Handle handle, const Arrival& arrival) {
  KeyState& state = index_.state(handle);
  if (!arrival.retry) {
    state.flags = static_cast<std::uint8_t>(state.flags & ~KeyState::kNoRetry);
  } else {
    state.failures = static_cast<std::uint16_t>(std::min(arrival.failures, 0xFFFF));
  }
  const bool is_new = !state.waiting() && !state.is(KeyState::kRunning);
  const bool keeps = arrival.retry && !is_new;
  std::int32_t wanted = arrival.priority.value_or(keeps ? state.priority : 0);
  const bool may_lower = is_new || (arrival.priority && !state.waiting());
  if (!may_lower) wanted = std::max(wanted, state.priority);
  if (wanted == state.priority) return;
  // A ready key that rises goes to the end of its new level.
  if (state.is(KeyState::kReady)) ready_.erase(handle, states());
  state.priority = wanted;
  if (state.is(KeyState::kReady)) ready_.push(handle, states());
}

template <class Key>
void QueueCore<Key>::make_ready(Handle handle, TimePoint since) {
  KeyState& state = index_.state(handle);
  state.flags |= KeyState::kReady;
  state.added = since;
  ready_.push(handle, states());
}

template <class Key>
void QueueCore<Key>::drop_delay(Handle handle) {
  delays_.erase(index_.state(handle).heap_position, positions());
  erase_if_idle(handle);
}

template <class Key>
void QueueCore<Key>::erase_if_idle(Handle handle) {
  const KeyState& state = index_.state(handle);
  if (state.flags == 0 && !state.delayed()) index_.erase(handle);
}

}  // namespace windlass::workqueue::detail

// The bodies of the steps that QueueCore's calls are made of. Include
// windlass/workqueue/detail/queue_core.h instead.
#pragma once

#include <algorithm>

#include "windlass/workqueue/detail/queue_core.h"

namespace windlass::workqueue::detail {

template <class Key>
void QueueCore<Key>::make_due_ready(TimePoint now) {
  while (!delays_.empty() && delays_.next_due() <= now) {
    const Handle handle = delays_.top();
    const TimePoint due = delays_.next_due();
    KeyState& state = index_.state(handle);
    drop_delay(handle, state);
    if (state.is(KeyState::kReady | KeyState::kRerun)) continue;
    if (state.is(KeyState::kRunning)) {
      mark_rerun(state, due);
    } else {
      make_ready(handle, state, due);
    }
  }
}

template <class Key>
Handle QueueCore<Key>::admit(View key, std::uint32_t hash, const Arrival& arrival, bool delayed) {
  if (shutting_down_) return kNoHandle;
  Handle handle = index_.find(key, hash);
  if (handle == kNoHandle) {
    if (index_.size() >= options_.keys_max) return kNoHandle;
    handle = index_.insert(key, hash);
  }
  KeyState& state = index_.state(handle);
  if (arrival.retry && state.is(KeyState::kNoRetry)) return kNoHandle;
  if (delayed) reserve_delay(handle);
  set_priority(handle, state, arrival);
  return handle;
}

template <class Key>
void QueueCore<Key>::reserve_delay(Handle handle) {
  try {
    delays_.reserve(handle);
  } catch (...) {
    erase_if_idle(handle);
    throw;
  }
}

template <class Key>
void QueueCore<Key>::set_priority(Handle handle, KeyState& state, const Arrival& arrival) {
  if (arrival.retry) {
    state.failures = static_cast<std::uint16_t>(std::min(arrival.failures, 0xFFFF));
  } else if (state.is(KeyState::kNoRetry)) {
    state.clear(KeyState::kNoRetry);
  }
  // Of a key that does not wait, the priority is that of its run, which only a retry keeps.
  std::int32_t wanted = arrival.priority.value_or(arrival.retry ? state.priority : 0);
  if (state.waiting()) wanted = std::max(wanted, state.priority);
  if (wanted == state.priority) return;
  // A ready key that rises goes to the end of its new level.
  if (state.is(KeyState::kReady)) ready_.erase(handle, states());
  state.priority = wanted;
  if (state.is(KeyState::kReady)) ready_.push(handle, states());
}

template <class Key>
void QueueCore<Key>::make_ready(Handle handle, KeyState& state, TimePoint since) {
  state.set(KeyState::kReady);
  state.added = since;
  ++counts_.adds;
  ready_.push(handle, states());
}

template <class Key>
void QueueCore<Key>::mark_rerun(KeyState& state, TimePoint since) {
  state.set(KeyState::kRerun);
  state.added = since;
  ++counts_.adds;
  ++reruns_;
}

template <class Key>
void QueueCore<Key>::set_delay(Handle handle, KeyState& state, TimePoint due) {
  delays_.push(due, handle, arrivals());
  state.set(KeyState::kDelayed);
}

template <class Key>
void QueueCore<Key>::drop_delay(Handle handle, KeyState& state) {
  state.clear(KeyState::kDelayed);
  delays_.erase(handle, arrivals());
}

template <class Key>
void QueueCore<Key>::erase_if_idle(Handle handle) {
  if (index_.state(handle).flags != 0) return;
  index_.erase(handle);
  if (index_.size() == 0) delays_.forget_handles();
}

}  // namespace windlass::workqueue::detail

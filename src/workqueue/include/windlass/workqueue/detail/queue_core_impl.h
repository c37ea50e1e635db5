// The bodies of QueueCore's calls. Include windlass/workqueue/detail/queue_core.h instead.
#pragma once

#include <algorithm>

#include "windlass/workqueue/detail/queue_core.h"

namespace windlass::workqueue::detail {

template <class Key>
template <class Now>
Added QueueCore<Key>::add(View key, std::uint32_t hash, const Arrival& arrival, Now&& now) {
  const Handle handle = admit(key, hash, arrival, false);
  if (handle == kNoHandle) return Added::kRefused;
  KeyState& state = index_.state(handle);
  counts_.retries += arrival.later;
  if (state.is(KeyState::kReady | KeyState::kRerun)) return Added::kMerged;
  if (state.is(KeyState::kRunning)) {
    mark_rerun(state, now());
    return Added::kRerun;
  }
  make_ready(handle, state, now());
  return Added::kReady;
}

template <class Key>
Added QueueCore<Key>::add_at(View key, std::uint32_t hash, TimePoint due, DelayMode mode,
                             const Arrival& arrival) {
  const Handle handle = admit(key, hash, arrival, true);
  if (handle == kNoHandle) return Added::kRefused;
  KeyState& state = index_.state(handle);
  counts_.retries += arrival.later;
  if (!state.is(KeyState::kDelayed)) {
    set_delay(handle, state, due);
    return Added::kDelayed;
  }
  const TimePoint planned = delays_.due_of(handle);
  const bool keeps = (mode == DelayMode::kEarliest && planned <= due) ||
                     (mode == DelayMode::kLatest && planned >= due);
  if (!keeps) {
    drop_delay(handle, state);
    set_delay(handle, state, due);
  }
  return Added::kMerged;
}

template <class Key>
Handle QueueCore<Key>::take(TimePoint now) {
  if (ready_.size() == 0) return kNoHandle;
  const Handle handle = ready_.pop(now, states());
  KeyState& state = index_.state(handle);
  state.clear(KeyState::kReady);
  state.set(KeyState::kRunning);
  state.started = now;
  running_.push_back(handle, states());
  if (options_.record_times) {
    started_sum_ += now.time_since_epoch().count();
    counts_.queue_duration.observe(now - state.added);
  }
  prefetch_after_next();
  return handle;
}

template <class Key>
void QueueCore<Key>::prefetch_after_next() const {
  const Handle next = ready_.peek();
  if (next == kNoHandle) return;
  const Handle after = index_.state(next).next;
  if (after != kNoHandle) index_.prefetch(index_.state(after).hash);
}

template <class Key>
bool QueueCore<Key>::finish(Handle handle, TimePoint now) {
  KeyState& state = index_.state(handle);
  running_.erase(handle, states());
  if (options_.record_times) {
    started_sum_ -= state.started.time_since_epoch().count();
    counts_.work_duration.observe(now - state.started);
  }
  const bool again = state.is(KeyState::kRerun);
  state.clear(KeyState::kRunning | KeyState::kRerun | KeyState::kNoRetry);
  if (again) {
    --reruns_;
    state.set(KeyState::kReady);
    ready_.push(handle, states());
  } else {
    erase_if_idle(handle);
  }
  return again;
}

template <class Key>
void QueueCore<Key>::undo_take(Handle handle, std::int32_t priority) {
  KeyState& state = index_.state(handle);
  if (state.is(KeyState::kNoRetry)) return;
  state.priority = state.waiting() ? std::max(state.priority, priority) : priority;
  if (!state.is(KeyState::kRerun)) mark_rerun(state, state.added);
}

template <class Key>
bool QueueCore<Key>::cancel_delayed(View key, std::uint32_t hash) {
  const Handle handle = index_.find(key, hash);
  if (handle == kNoHandle || !index_.state(handle).is(KeyState::kDelayed)) return false;
  drop_delay(handle, index_.state(handle));
  erase_if_idle(handle);
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
  if (state.is(KeyState::kDelayed)) drop_delay(handle, state);
  state.clear(KeyState::kReady | KeyState::kRerun);
  state.failures = 0;
  if (state.is(KeyState::kRunning)) state.set(KeyState::kNoRetry);
  erase_if_idle(handle);
  return any;
}

template <class Key>
void QueueCore<Key>::reset_failures(View key, std::uint32_t hash) {
  const Handle handle = index_.find(key, hash);
  if (handle != kNoHandle) index_.state(handle).failures = 0;
}

template <class Key>
void QueueCore<Key>::shut_down() {
  shutting_down_ = true;
  const std::size_t dropped = delays_.size();
  for (std::size_t i = 0; i < dropped; ++i) {
    const Handle handle = delays_.handle_at(i);
    index_.state(handle).clear(KeyState::kDelayed);
    erase_if_idle(handle);
  }
  delays_.clear();
  counts_.dropped += dropped;
}

}  // namespace windlass::workqueue::detail

// The bodies of QueueCore that only look. Include windlass/workqueue/detail/queue_core.h instead.
#pragma once

#include <algorithm>
#include <limits>

#include "windlass/workqueue/detail/queue_core.h"

namespace windlass::workqueue::detail {

template <class Key>
QueueStats QueueCore<Key>::stats(TimePoint now) const {
  QueueStats stats = counts_;
  stats.ready = ready();
  stats.delayed = delayed();
  stats.running = running();
  stats.rerun = reruns_;
  if (!options_.record_times || running_.empty()) return stats;
  const Int128 at = now.time_since_epoch().count();
  const Int128 unfinished = at * static_cast<Int128>(running()) - started_sum_;
  const Int128 longest = std::numeric_limits<Duration::rep>::max();
  stats.unfinished_work =
      Duration(static_cast<Duration::rep>(std::clamp(unfinished, Int128{0}, longest)));
  stats.longest_running = std::max(now - index_.state(running_.front()).started, Duration::zero());
  return stats;
}

template <class Key>
KeySnapshot<Key> QueueCore<Key>::snapshot_of(Handle handle) const {
  const KeyState& state = index_.state(handle);
  KeySnapshot<Key> known{.key = Key(index_.key(handle)),
                         .ready = state.is(KeyState::kReady),
                         .running = state.is(KeyState::kRunning),
                         .rerun = state.is(KeyState::kRerun),
                         .due = std::nullopt,
                         .priority = state.priority,
                         .added = state.added,
                         .started = state.started};
  if (state.is(KeyState::kDelayed)) known.due = delays_.due_of(handle);
  return known;
}

template <class Key>
std::optional<KeySnapshot<Key>> QueueCore<Key>::find(View key, std::uint32_t hash) const {
  const Handle handle = index_.find(key, hash);
  if (handle == kNoHandle) return std::nullopt;
  return snapshot_of(handle);
}

template <class Key>
std::vector<KeySnapshot<Key>> QueueCore<Key>::snapshot(std::size_t max) const {
  std::vector<KeySnapshot<Key>> keys;
  const auto show = [&](Handle handle) {
    if (keys.size() >= max) return false;
    keys.push_back(snapshot_of(handle));
    return true;
  };
  running_.for_each(states(), show);
  ready_.for_each(states(), show);
  for (std::size_t i = 0; i < delays_.size(); ++i) {
    const Handle handle = delays_.handle_at(i);
    if (index_.state(handle).flags == KeyState::kDelayed && !show(handle)) break;
  }
  return keys;
}

}  // namespace windlass::workqueue::detail

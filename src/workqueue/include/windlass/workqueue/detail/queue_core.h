// QueueCore: the state machine of a WorkQueue, without threads, locks or a clock.
//
// All calls are told the time. Delayed keys become ready in advance(now), which the owner calls
// before anything that looks at what is ready.
//
// Where memory is short, the calls that add throw std::bad_alloc and change nothing; no other call
// that changes anything throws.
//
// Thread safety: none; the owner locks. A taken entry's key may be read without the lock until it
// is finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "windlass/base/time.h"
#include "windlass/workqueue/detail/delay_heap.h"
#include "windlass/workqueue/detail/handle_list.h"
#include "windlass/workqueue/detail/key_index.h"
#include "windlass/workqueue/detail/key_state.h"
#include "windlass/workqueue/detail/ready_levels.h"
#include "windlass/workqueue/options.h"
#include "windlass/workqueue/queue_stats.h"

namespace windlass::workqueue::detail {

struct CoreOptions {
  std::size_t keys_max;
  Duration age_after;
  bool record_times;   // without it, the times told are ignored and durations are not counted
  std::uint64_t seed;  // of hash_of()
};

// Invariant: a key is in the index while it is ready, running or delayed. A ready key is in its
// level's list and does not run; a running key is in the list of running keys and may be marked
// to run again; either may have a place in the delay heap.
template <class Key>
class QueueCore {
 public:
  using Index = KeyIndex<Key, KeyState>;
  using View = typename Index::View;

  explicit QueueCore(const CoreOptions& options)
      : options_(options), index_(options.seed), ready_(options.age_after) {}

  // Makes ready what is due.
  void advance(TimePoint now) {
    if (delays_.next_due() <= now) make_due_ready(now);
  }

  // `hash` is hash_of(key). `now()` is called only where the time matters: reading a clock costs
  // as much as all the rest, and most adds of a busy key are merged.
  template <class Now>
  Added add(View key, std::uint32_t hash, const Arrival& arrival, Now&& now);

  Added add_at(View key, std::uint32_t hash, TimePoint due, DelayMode mode, const Arrival& arrival);

  // Starts the next run; kNoHandle when nothing is ready.
  Handle take(TimePoint now);

  // Ends a run. True when the key is ready again.
  bool finish(Handle handle, TimePoint now);

  // The run is to end as if it had not begun: finish() makes the key ready again, since when it
  // was before and with `priority` at least, also while shutting down. Counts as an add. Not after
  // remove() in the same run.
  void undo_take(Handle handle, std::int32_t priority);

  // False when the key had no delay.
  bool cancel_delayed(View key, std::uint32_t hash);

  // Drops the key from ready and delayed, its re-run, and the failures that a delivery would
  // report. False when there was nothing to drop.
  bool remove(View key, std::uint32_t hash);

  // The failures that its next delivery reports start again at none.
  void reset_failures(View key, std::uint32_t hash);

  // No more adds; drops what is delayed.
  void shut_down();

  static std::uint32_t hash_of(View key, std::uint64_t seed) { return Index::hash(key, seed); }

  bool shutting_down() const { return shutting_down_; }
  std::size_t ready() const { return ready_.size(); }
  std::size_t delayed() const { return delays_.size(); }
  std::size_t running() const { return running_.size(); }
  bool idle() const { return ready() == 0 && running() == 0; }
  // Shut down, and nothing is to be taken, also when what runs has ended; unless it is put back.
  bool over() const { return shutting_down_ && ready() == 0 && reruns_ == 0; }
  std::uint64_t adds() const { return counts_.adds; }
  TimePoint next_due() const { return delays_.next_due(); }
  const typename Index::Entry& entry(Handle handle) const { return index_.entry(handle); }

  QueueStats stats(TimePoint now) const;

  std::optional<KeySnapshot<Key>> find(View key, std::uint32_t hash) const;

  // At most `max` keys: the running, then the ready in the order of delivery, then the delayed.
  std::vector<KeySnapshot<Key>> snapshot(std::size_t max) const;

 private:
  auto states() {
    return [this](Handle handle) -> KeyState& { return index_.state(handle); };
  }
  auto states() const {
    return [this](Handle handle) -> const KeyState& { return index_.state(handle); };
  }
  auto arrivals() {
    return [this](Handle handle) -> std::uint32_t& { return index_.state(handle).arrival; };
  }

  KeySnapshot<Key> snapshot_of(Handle handle) const;

  void make_due_ready(TimePoint now);

  // Brings closer what the run after the next will touch: a full queue is longer than any cache.
  void prefetch_after_next() const;

  // The key's handle, made for it where it had none, with room for its delay where `delayed`;
  // kNoHandle when it is refused. All that an add can throw is thrown here, before anything
  // changes.
  Handle admit(View key, std::uint32_t hash, const Arrival& arrival, bool delayed);
  void reserve_delay(Handle handle);
  void set_priority(Handle handle, KeyState& state, const Arrival& arrival);
  void make_ready(Handle handle, KeyState& state, TimePoint since);
  void mark_rerun(KeyState& state, TimePoint since);
  void set_delay(Handle handle, KeyState& state, TimePoint due);
  void drop_delay(Handle handle, KeyState& state);
  void erase_if_idle(Handle handle);

  const CoreOptions options_;

  Index index_;
  ReadyLevels ready_;
  HandleList running_;  // oldest run first
  DelayHeap delays_;
  std::size_t reruns_ = 0;
  Int128 started_sum_ = 0;  // of the running keys, in nanoseconds
  QueueStats counts_;       // its counters and histograms only
  bool shutting_down_ = false;
};

}  // namespace windlass::workqueue::detail

#include "windlass/workqueue/detail/queue_core_impl.h"
#include "windlass/workqueue/detail/queue_core_look_impl.h"
#include "windlass/workqueue/detail/queue_core_steps_impl.h"

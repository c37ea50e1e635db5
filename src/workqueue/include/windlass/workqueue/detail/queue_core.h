// QueueCore: the state machine of a WorkQueue, without threads, locks or a clock.
//
// All calls are told the time. Delayed keys become ready in advance(now), which the owner calls
// before anything that looks at what is ready.
//
// Thread safety: none; the owner locks. A taken entry's key may be read without the lock until it
// is finished.
#pragma once

#include <cstddef>
#include <cstdint>

#include "windlass/base/time.h"
#include "windlass/workqueue/detail/delay_heap.h"
#include "windlass/workqueue/detail/handle_list.h"
#include "windlass/workqueue/detail/key_index.h"
#include "windlass/workqueue/detail/key_state.h"
#include "windlass/workqueue/detail/ready_levels.h"
#include "windlass/workqueue/options.h"

namespace windlass::workqueue::detail {

// Invariant: a key is in the index while it is ready, running or delayed. A ready key is in its
// level's list and does not run; a running key is in the list of running keys and may be marked
// to run again; either may have a place in the delay heap.
template <class Key>
class QueueCore {
 public:
  using Index = KeyIndex<Key, KeyState>;
  using View = typename Index::View;

  QueueCore(std::size_t keys_max, Duration age_after) : keys_max_(keys_max), ready_(age_after) {}

  std::uint32_t hash(View key) const { return index_.hash(key); }

  // Makes ready what is due. True when anything was.
  bool advance(TimePoint now);

  Added add(View key, std::uint32_t hash, const Arrival& arrival, TimePoint now);
  Added add_at(View key, std::uint32_t hash, TimePoint due, DelayMode mode, const Arrival& arrival);

  // Starts the next run; kNoHandle when nothing is ready.
  Handle take(TimePoint now);

  // Ends a run. True when the key is ready again.
  bool finish(Handle handle);

  // False when the key had no delay.
  bool cancel_delayed(View key, std::uint32_t hash);

  // Drops the key from ready and delayed, and its re-run. False when there was nothing to drop.
  bool remove(View key, std::uint32_t hash);

  // The failures that its next delivery reports start again at none.
  void reset_failures(View key, std::uint32_t hash);

  // No more adds; drops what is delayed and returns how many that were.
  std::size_t shut_down();

  bool shutting_down() const { return shutting_down_; }
  std::size_t ready() const { return ready_.size(); }
  std::size_t delayed() const { return delays_.size(); }
  std::size_t running() const { return running_.size(); }
  std::size_t reruns() const { return reruns_; }
  TimePoint next_due() const { return delays_.next_due(); }
  const typename Index::Entry& entry(Handle handle) const { return index_.entry(handle); }

 private:
  auto states() {
    return [this](Handle handle) -> KeyState& { return index_.state(handle); };
  }
  auto positions() {
    return [this](Handle handle) -> std::uint32_t& { return index_.state(handle).heap_position; };
  }

  void set_priority(Handle handle, const Arrival& arrival);
  void make_ready(Handle handle, TimePoint since);
  void drop_delay(Handle handle);
  void erase_if_idle(Handle handle);

  const std::size_t keys_max_;
  Index index_;
  ReadyLevels ready_;
  HandleList running_;  // oldest run first
  DelayHeap delays_;
  std::size_t reruns_ = 0;
  bool shutting_down_ = false;
};

}  // namespace windlass::workqueue::detail

#include "windlass/workqueue/detail/queue_core_impl.h"

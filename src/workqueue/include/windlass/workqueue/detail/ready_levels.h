// ReadyLevels: the keys that may be taken now, one list per priority, oldest first in each.
//
// Thread safety: none; the owner locks. `states(handle)` is a reference to the handle's KeyState.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "windlass/base/time.h"
#include "windlass/workqueue/detail/handle_list.h"

namespace windlass::workqueue::detail {

// Invariant: `levels_` is sorted, highest priority first, and holds no empty list but the last
// one used, which stays so that a queue of one priority never allocates.
class ReadyLevels {
 public:
  // A key that has waited `age_after` is taken before those of higher priority, though at most
  // every second time. Zero turns this off.
  explicit ReadyLevels(Duration age_after) : age_after_(age_after) { levels_.reserve(kLevels); }

  std::size_t size() const { return size_; }

  // Where there is no memory for one level more, the key takes the priority of a neighbour: a
  // run that ends or a delay that is over cannot be refused.
  template <class States>
  void push(Handle handle, States states) noexcept {
    auto& state = states(handle);
    Level& to = level(state.priority);
    state.priority = to.priority;
    to.list.push_back(handle, states);
    ++size_;
  }

  template <class States>
  void erase(Handle handle, States states) noexcept {
    level(states(handle).priority).list.erase(handle, states);
    --size_;
  }

  // Removes and returns the next key; there is one.
  template <class States>
  Handle pop(TimePoint now, States states) {
    if (levels_.size() > 1) drop_empty();
    Level* from = &levels_.front();
    if (levels_.size() > 1 && age_after_ > Duration::zero()) from = aged_or(from, now, states);
    const Handle handle = from->list.front();
    from->list.erase(handle, states);
    --size_;
    return handle;
  }

  // The key that pop() will probably return next, or kNoHandle.
  Handle peek() const { return levels_.empty() ? kNoHandle : levels_.front().list.front(); }

  // Calls `function` with each handle, in the order of delivery where nothing is aged, until it
  // returns false.
  template <class States, class Function>
  void for_each(States states, Function function) const {
    for (const Level& level : levels_) {
      if (!level.list.for_each(states, function)) return;
    }
  }

 private:
  struct Level {
    std::int32_t priority;
    HandleList list;
  };

  static constexpr std::size_t kLevels = 4;  // never fewer than one: push() counts on it

  void drop_empty() {
    std::erase_if(levels_, [](const Level& l) { return l.list.empty(); });
  }

  auto place_of(std::int32_t priority) {
    return std::lower_bound(levels_.begin(), levels_.end(), priority,
                            [](const Level& l, std::int32_t p) { return l.priority > p; });
  }

  Level& level(std::int32_t priority) noexcept {
    if (!levels_.empty() && levels_.front().priority == priority) return levels_.front();
    auto at = place_of(priority);
    if (at != levels_.end() && at->priority == priority) return *at;
    drop_empty();
    at = place_of(priority);
    try {
      return *levels_.insert(at, {priority, {}});
    } catch (const std::bad_alloc&) {
      return at == levels_.end() ? levels_.back() : *at;
    }
  }

  // The level whose oldest key has waited longest, if that is too long and none was let past just
  // before; else `first`.
  template <class States>
  Level* aged_or(Level* first, TimePoint now, States states) {
    if (std::exchange(let_past_, false)) return first;
    Level* oldest = first;
    for (Level& level : levels_) {
      if (states(level.list.front()).added < states(oldest->list.front()).added) oldest = &level;
    }
    const Duration waited = now - states(oldest->list.front()).added;
    let_past_ = oldest != first && waited >= age_after_;
    return let_past_ ? oldest : first;
  }

  const Duration age_after_;
  std::vector<Level> levels_;
  std::size_t size_ = 0;
  bool let_past_ = false;
};

}  // namespace windlass::workqueue::detail

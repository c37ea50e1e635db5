// ReadyLevels: the keys that may be taken now, one list per priority, oldest first in each.
//
// Each call costs the logarithm of the number of levels, and allocates only where there are more
// levels than there were before.
//
// Thread safety: none; the owner locks. `states(handle)` is a reference to the handle's KeyState.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "windlass/base/time.h"
#include "windlass/workqueue/detail/handle_list.h"

namespace windlass::workqueue::detail {

// Invariant: there is a level; one that is empty is the only one.
class ReadyLevels {
 public:
  // A key that has waited `age_after` is taken before those of higher priority, though at most
  // every second time. Zero turns this off.
  explicit ReadyLevels(Duration age_after) : age_after_(age_after) { levels_.try_emplace(0); }

  std::size_t size() const { return size_; }

  // Where there is no memory for one level more, the key takes the priority of a neighbour: a
  // run that ends or a delay that is over cannot be refused.
  template <class States>
  void push(Handle handle, States states) noexcept {
    auto& state = states(handle);
    const auto to = level(state.priority);
    state.priority = to->first;
    to->second.push_back(handle, states);
    ++size_;
  }

  template <class States>
  void erase(Handle handle, States states) noexcept {
    erase_from(levels_.find(states(handle).priority), handle, states);
  }

  // Removes and returns the next key; there is one.
  template <class States>
  Handle pop(TimePoint now, States states) {
    auto from = levels_.begin();
    if (levels_.size() > 1 && age_after_ > Duration::zero()) from = aged_or(from, now, states);
    const Handle handle = from->second.front();
    erase_from(from, handle, states);
    return handle;
  }

  // What pop() returns next unless it is let past by one that has aged; kNoHandle if there is none.
  Handle peek() const { return levels_.begin()->second.front(); }

  // Calls `function` with each handle, in the order of delivery where nothing is aged, until it
  // returns false.
  template <class States, class Function>
  void for_each(States states, Function function) const {
    for (const auto& [priority, list] : levels_) {
      if (!list.for_each(states, function)) return;
    }
  }

 private:
  using Levels = std::map<std::int32_t, HandleList, std::greater<>>;  // highest priority first

  static constexpr std::size_t kSparesMost = 64;
  static constexpr std::size_t kLooks = 8;

  Levels::iterator level(std::int32_t priority) noexcept {
    const auto first = levels_.begin();
    if (first->first == priority) return first;
    if (first->second.empty()) return insert(levels_.end(), levels_.extract(first), priority);
    const auto at = levels_.lower_bound(priority);
    if (at != levels_.end() && at->first == priority) return at;
    if (!spares_.empty()) {
      auto spare = std::move(spares_.back());
      spares_.pop_back();
      return insert(at, std::move(spare), priority);
    }
    try {
      spares_.reserve(std::min(levels_.size(), kSparesMost));
      return levels_.emplace_hint(at, priority, HandleList());
    } catch (const std::bad_alloc&) {
      return at == levels_.end() ? std::prev(at) : at;
    }
  }

  Levels::iterator insert(Levels::iterator at, Levels::node_type&& node, std::int32_t priority) {
    node.key() = priority;
    return levels_.insert(at, std::move(node));
  }

  template <class States>
  void erase_from(Levels::iterator from, Handle handle, States states) noexcept {
    from->second.erase(handle, states);
    --size_;
    if (!from->second.empty() || levels_.size() == 1) return;
    auto node = levels_.extract(from);
    if (spares_.size() < spares_.capacity()) spares_.push_back(std::move(node));
  }

  // The level whose oldest key has waited longest, if that is too long and none was let past just
  // before; else `first`. Looks at a few levels each time, in turn, so that many cost no more.
  template <class States>
  Levels::iterator aged_or(Levels::iterator first, TimePoint now, States states) {
    if (std::exchange(let_past_, false)) return first;
    const auto added = [&](auto level) { return states(level->second.front()).added; };
    auto oldest = first;
    auto at = levels_.lower_bound(look_from_);
    for (std::size_t looks = std::min(levels_.size(), kLooks); looks > 0; --looks) {
      if (at == levels_.end()) at = first;
      if (added(at) < added(oldest)) oldest = at;
      ++at;
    }
    look_from_ = at == levels_.end() ? std::numeric_limits<std::int32_t>::max() : at->first;
    let_past_ = oldest != first && now - added(oldest) >= age_after_;
    return let_past_ ? oldest : first;
  }

  const Duration age_after_;
  Levels levels_;
  std::vector<Levels::node_type> spares_;  // of levels that became empty
  std::size_t size_ = 0;
  std::int32_t look_from_ = std::numeric_limits<std::int32_t>::max();
  bool let_past_ = false;
};

}  // namespace windlass::workqueue::detail

// DelayHeap: handles ordered by the time they become due, equal times in the order of arrival.
//
// Thread safety: none; the owner locks. The owner keeps each handle's position, which the heap
// reports through `Positions`: positions(handle) is a reference to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windlass/base/time.h"
#include "windlass/workqueue/detail/slot_table.h"

namespace windlass::workqueue::detail {

inline constexpr std::uint32_t kNotInHeap = 0xFFFFFFFFU;

// A heap of arity four: a node's children share a cache line.
//
// Invariant: no entry is due before its parent; positions name each entry's place.
class DelayHeap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  TimePoint next_due() const { return entries_.empty() ? TimePoint::max() : entries_[0].due; }
  Handle top() const { return entries_[0].handle; }
  TimePoint due_at(std::uint32_t position) const { return entries_[position].due; }
  Handle handle_at(std::uint32_t position) const { return entries_[position].handle; }

  template <class Positions>
  void push(TimePoint due, Handle handle, Positions positions) {
    entries_.push_back({});
    sift_up(entries_.size() - 1, {due, ++arrivals_, handle}, positions);
  }

  template <class Positions>
  void erase(std::uint32_t position, Positions positions) {
    positions(entries_[position].handle) = kNotInHeap;
    const Entry moved = entries_.back();
    entries_.pop_back();
    if (position < entries_.size()) {
      const std::size_t parent = (position - 1) / kArity;
      if (position > 0 && before(moved, entries_[parent])) {
        sift_up(position, moved, positions);
      } else {
        sift_down(position, moved, positions);
      }
    }
    if (entries_.size() * 4 < entries_.capacity()) give_back();
  }

  void clear() {
    std::vector<Entry>().swap(entries_);
    arrivals_ = 0;
  }

 private:
  static constexpr std::size_t kArity = 4;
  static constexpr std::size_t kSmallest = 64;
  struct Entry {
    TimePoint due;
    std::uint32_t arrival;
    Handle handle;
  };

  // Arrivals wrap around; those held at one time never span half the range.
  static bool before(const Entry& a, const Entry& b) {
    if (a.due != b.due) return a.due < b.due;
    return static_cast<std::int32_t>(a.arrival - b.arrival) < 0;
  }

  template <class Positions>
  void put(std::size_t at, const Entry& entry, Positions& positions) {
    entries_[at] = entry;
    positions(entry.handle) = static_cast<std::uint32_t>(at);
  }

  template <class Positions>
  void sift_up(std::size_t at, const Entry& entry, Positions& positions) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / kArity;
      if (!before(entry, entries_[parent])) break;
      put(at, entries_[parent], positions);
      at = parent;
    }
    put(at, entry, positions);
  }

  template <class Positions>
  void sift_down(std::size_t at, const Entry& entry, Positions& positions) {
    for (;;) {
      const std::size_t first = at * kArity + 1;
      if (first >= entries_.size()) break;
      const std::size_t end = first + kArity < entries_.size() ? first + kArity : entries_.size();
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (before(entries_[child], entries_[least])) least = child;
      }
      if (!before(entries_[least], entry)) break;
      put(at, entries_[least], positions);
      at = least;
    }
    put(at, entry, positions);
  }

  void give_back() {
    if (entries_.capacity() <= kSmallest) return;
    std::vector<Entry> smaller;
    smaller.reserve(entries_.capacity() / 2);
    smaller.assign(entries_.begin(), entries_.end());
    entries_.swap(smaller);
  }

  std::vector<Entry> entries_;
  std::uint32_t arrivals_ = 0;
};

}  // namespace windlass::workqueue::detail

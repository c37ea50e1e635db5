// DelayHeap: handles ordered by the time they become due, equal times in the order of arrival.
//
// Thread safety: none; the owner locks. The owner keeps a number for each handle's arrival, which
// the heap sets and reads through `arrivals(handle)`, a reference to it. It looks there only where
// times are equal: what a million keys need for moving up and down stays small and together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "windlass/base/time.h"
#include "windlass/workqueue/detail/big_allocator.h"
#include "windlass/workqueue/detail/slot_table.h"

namespace windlass::workqueue::detail {

// A heap of arity four: a node's children lie side by side.
//
// Invariant: no entry is due before its parent; `positions_[handle]` is the entry's place.
class DelayHeap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  TimePoint next_due() const { return entries_.empty() ? TimePoint::max() : entries_[0].due(); }
  Handle top() const { return entries_[0].handle; }
  Handle handle_at(std::size_t position) const { return entries_[position].handle; }

  // Calls `function` with the handles one of which is the next top.
  template <class Function>
  void for_each_next(Function function) const {
    const std::size_t end = std::min(kArity + 1, entries_.size());
    for (std::size_t child = 1; child < end; ++child) function(entries_[child].handle);
  }

  // `handle` is in the heap.
  TimePoint due_of(Handle handle) const { return entries_[positions_[handle]].due(); }

  // `handle` is not in the heap.
  template <class Arrivals>
  void push(TimePoint due, Handle handle, Arrivals arrivals) {
    if (handle >= positions_.size()) positions_.resize(positions_for(handle));
    entries_.emplace_back();
    arrivals(handle) = ++arrivals_;
    sift_up(entries_.size() - 1, Entry(due, handle), arrivals);
  }

  // `handle` is in the heap.
  template <class Arrivals>
  void erase(Handle handle, Arrivals arrivals) {
    const std::size_t position = positions_[handle];
    const Entry moved = entries_.back();
    entries_.pop_back();
    if (position < entries_.size()) {
      if (position > 0 && before(moved, entries_[(position - 1) / kArity], arrivals)) {
        sift_up(position, moved, arrivals);
      } else {
        sift_down(position, moved, arrivals);
      }
    }
    if (entries_.size() * 4 < entries_.capacity()) give_back();
  }

  void clear() {
    Entries().swap(entries_);
    forget_handles();
  }

  // Gives back what is kept for each handle ever seen. To be called when no handle is in use: the
  // heap cannot know, and must not do so whenever it empties.
  void forget_handles() {
    if (empty() && positions_.size() > kSmallest) Positions().swap(positions_);
  }

 private:
  static constexpr std::size_t kArity = 4;
  static constexpr std::size_t kSmallest = 64;

  // Twelve bytes: a TimePoint member would make it sixteen.
  struct Entry {
    Entry() = default;
    Entry(TimePoint due, Handle h) : handle(h) { std::memcpy(due_bytes, &due, sizeof due); }
    TimePoint due() const {
      TimePoint due;
      std::memcpy(&due, due_bytes, sizeof due);
      return due;
    }
    std::uint32_t due_bytes[2];
    Handle handle;
  };
  using Entries = std::vector<Entry, BigAllocator<Entry>>;
  using Positions = std::vector<std::uint32_t, BigAllocator<std::uint32_t>>;

  // Arrivals wrap around; those held at one time never span half the range.
  template <class Arrivals>
  static bool before(const Entry& a, const Entry& b, Arrivals& arrivals) {
    if (a.due() != b.due()) return a.due() < b.due();
    return static_cast<std::int32_t>(arrivals(a.handle) - arrivals(b.handle)) < 0;
  }

  void put(std::size_t at, const Entry& entry) {
    entries_[at] = entry;
    positions_[entry.handle] = static_cast<std::uint32_t>(at);
  }

  template <class Arrivals>
  void sift_up(std::size_t at, const Entry& entry, Arrivals& arrivals) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / kArity;
      if (!before(entry, entries_[parent], arrivals)) break;
      put(at, entries_[parent]);
      at = parent;
    }
    put(at, entry);
  }

  template <class Arrivals>
  void sift_down(std::size_t at, const Entry& entry, Arrivals& arrivals) {
    for (;;) {
      const std::size_t first = at * kArity + 1;
      if (first >= entries_.size()) break;
      const std::size_t end = std::min(first + kArity, entries_.size());
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (before(entries_[child], entries_[least], arrivals)) least = child;
      }
      if (!before(entries_[least], entry, arrivals)) break;
      put(at, entries_[least]);
      at = least;
    }
    put(at, entry);
  }

  std::size_t positions_for(Handle handle) const {
    return std::max<std::size_t>({handle + std::size_t{1}, kSmallest, positions_.size() * 2});
  }

  void give_back() {
    if (entries_.capacity() <= kSmallest) return;
    Entries smaller;
    smaller.reserve(entries_.capacity() / 2);
    smaller.assign(entries_.begin(), entries_.end());
    entries_.swap(smaller);
  }

  Entries entries_;
  Positions positions_;
  std::uint32_t arrivals_ = 0;
};

}  // namespace windlass::workqueue::detail

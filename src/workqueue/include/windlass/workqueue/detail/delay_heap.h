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

#include "windlass/base/time.h"
#include "windlass/workqueue/detail/big_array.h"
#include "windlass/workqueue/detail/slot_table.h"

namespace windlass::workqueue::detail {

// A heap of arity four: a node's children lie side by side.
//
// Invariant: no entry is due before its parent; `positions_[handle]` is the entry's place.
class DelayHeap {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  TimePoint next_due() const { return empty() ? TimePoint::max() : entries_[0].due(); }
  Handle top() const { return entries_[0].handle; }
  Handle handle_at(std::size_t position) const { return entries_[position].handle; }

  // `handle` is in the heap.
  TimePoint due_of(Handle handle) const { return entries_[positions_[handle]].due(); }

  // Makes room, so that push() of `handle` cannot fail; also after an erase().
  void reserve(Handle handle) {
    if (handle >= positions_.size()) positions_.resize(positions_for(handle));
    if (size_ == entries_.size()) entries_.resize(std::max(kSmallest, 2 * size_));
  }

  // `handle` is not in the heap.
  template <class Arrivals>
  void push(TimePoint due, Handle handle, Arrivals arrivals) {
    reserve(handle);
    arrivals(handle) = ++arrivals_;
    sift_up(size_++, Entry(due, handle), arrivals);
  }

  // `handle` is in the heap.
  template <class Arrivals>
  void erase(Handle handle, Arrivals arrivals) {
    const std::size_t position = positions_[handle];
    const Entry moved = entries_[--size_];
    if (position < size_) {
      if (position > 0 && before(moved, entries_[(position - 1) / kArity], arrivals)) {
        sift_up(position, moved, arrivals);
      } else {
        sift_down(position, moved, arrivals);
      }
    }
    if (entries_.size() > kSmallest && size_ * 4 < entries_.size()) {
      entries_.shrink(entries_.size() / 2);
    }
  }

  void clear() {
    entries_ = {};
    size_ = 0;
    forget_handles();
  }

  // Gives back what is kept for each handle ever seen. To be called when no handle is in use: the
  // heap cannot know, and must not do so whenever it empties.
  void forget_handles() {
    if (empty() && positions_.size() > kSmallest) positions_ = {};
  }

 private:
  static constexpr std::size_t kArity = 4;
  static constexpr std::size_t kSmallest = 64;
  static constexpr std::size_t kSoon = 21;  // the top three levels

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
      if (first >= size_) break;
      const std::size_t end = std::min(first + kArity, size_);
      std::size_t least = first;
      for (std::size_t child = first + 1; child < end; ++child) {
        if (before(entries_[child], entries_[least], arrivals)) least = child;
      }
      if (!before(entries_[least], entry, arrivals)) break;
      // A million delayed keys lie anywhere in memory; fetching the next ones takes long.
      if (at < kSoon) __builtin_prefetch(&arrivals(entries_[least].handle), 1);
      put(at, entries_[least]);
      at = least;
    }
    put(at, entry);
  }

  std::size_t positions_for(Handle handle) const {
    return std::max<std::size_t>({handle + std::size_t{1}, kSmallest, positions_.size() * 2});
  }

  BigArray<Entry> entries_;
  BigArray<std::uint32_t> positions_;
  std::size_t size_ = 0;
  std::uint32_t arrivals_ = 0;
};

}  // namespace windlass::workqueue::detail

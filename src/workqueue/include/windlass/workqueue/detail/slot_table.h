// SlotTable: an open-addressing table from hashes to handles.
//
// It knows no keys: whoever asks compares. Hash and handle lie side by side, so that a search that
// fails, growing and erasing touch nothing but the table.
//
// Thread safety: none; the owner locks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "windlass/workqueue/detail/big_array.h"

namespace windlass::workqueue::detail {

using Handle = std::uint32_t;
inline constexpr Handle kNoHandle = 0xFFFFFFFFU;

// Linear probing; erasing moves later slots back, so there are no tombstones. A table that grows or
// shrinks moves to its new size a few slots with each change, so that no call takes long.
//
// Invariant: the capacity is a power of two, at most three quarters in use, and, above kSmallest,
// at least an eighth. `old_` holds what has not moved yet: nothing before `moved_`.
class SlotTable {
 public:
  std::size_t size() const { return size_; }

  template <class Matches>
  Handle find(std::uint32_t hash, Matches matches) const {
    if (size_ == 0) return kNoHandle;
    const Handle found = find_in(now_, hash, matches);
    return found != kNoHandle || old_.size() == 0 ? found : find_in(old_, hash, matches);
  }

  // Makes room for one more, so that insert() cannot fail.
  void reserve_one() {
    if ((size_ + 1) * 4 > now_.size() * 3) resize(now_.size() == 0 ? kSmallest : now_.size() * 2);
  }

  void insert(std::uint32_t hash, Handle handle) {
    put(hash, handle);
    ++size_;
    move_some();
  }

  // `handle` is in the table under `hash`.
  void erase(std::uint32_t hash, Handle handle) {
    const auto same = [handle](Handle h) { return h == handle; };
    const std::size_t at = place_in(now_, hash, same);
    if (now_[at].handle() == handle) {
      close_hole(now_, at);
    } else {
      close_hole(old_, place_in(old_, hash, same));
    }
    if (--size_ == 0) old_ = {};
    move_some();
  }

  // Where there is no memory to move to, it stays as it is.
  void shrink() noexcept {
    if (now_.size() <= kSmallest || size_ * 8 >= now_.size()) return;
    try {
      resize(now_.size() / 2);
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  void prefetch(std::uint32_t hash) const {
    if (now_.size() > 0) __builtin_prefetch(&now_[hash & (now_.size() - 1)]);
    if (old_.size() > 0) __builtin_prefetch(&old_[hash & (old_.size() - 1)]);
  }

  template <class Function>
  void for_each(Function function) const {
    for (const Slots* slots : {&now_, &old_}) {
      for (std::size_t at = 0; at < slots->size(); ++at) {
        if (!(*slots)[at].empty()) function((*slots)[at].handle());
      }
    }
  }

 private:
  static constexpr std::size_t kSmallest = 64;
  // Shrinking leaves the least time: the capacity has to pass while a sixteenth of it is erased.
  static constexpr std::size_t kMovesAtOnce = 32;

  // All bytes zero when empty, as new memory is.
  struct Slot {
    std::uint32_t hash;
    std::uint32_t handle_plus_one;

    Handle handle() const { return handle_plus_one - 1; }
    bool empty() const { return handle_plus_one == 0; }
  };
  using Slots = BigArray<Slot>;

  // Where the first slot with `hash` that matches lies, or the empty slot that ends the search.
  template <class Matches>
  static std::size_t place_in(const Slots& slots, std::uint32_t hash, Matches matches) {
    const std::size_t mask = slots.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      if (slots[at].empty() || (slots[at].hash == hash && matches(slots[at].handle()))) return at;
    }
  }

  template <class Matches>
  static Handle find_in(const Slots& slots, std::uint32_t hash, Matches matches) {
    return slots[place_in(slots, hash, matches)].handle();
  }

  void put(std::uint32_t hash, Handle handle) {
    const auto never = [](Handle) { return false; };
    now_[place_in(now_, hash, never)] = {hash, handle + 1};
  }

  static void close_hole(Slots& slots, std::size_t hole) {
    const std::size_t mask = slots.size() - 1;
    for (std::size_t at = (hole + 1) & mask; !slots[at].empty(); at = (at + 1) & mask) {
      // A slot may move back only if its search would still start at or before the hole.
      const std::size_t home = slots[at].hash & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      slots[hole] = slots[at];
      hole = at;
    }
    slots[hole] = Slot{};
  }

  void resize(std::size_t capacity) {
    while (old_.size() > 0) move_some();
    Slots fresh(capacity);
    old_ = std::exchange(now_, std::move(fresh));
    moved_ = 0;
  }

  void move_some() {
    if (old_.size() == 0) return;
    const std::size_t end = std::min(moved_ + kMovesAtOnce, old_.size());
    for (; moved_ < end; ++moved_) {
      while (!old_[moved_].empty()) {
        put(old_[moved_].hash, old_[moved_].handle());
        close_hole(old_, moved_);
      }
    }
    if (moved_ == old_.size()) old_ = {};
  }

  Slots now_;
  Slots old_;
  std::size_t moved_ = 0;
  std::size_t size_ = 0;
};

}  // namespace windlass::workqueue::detail

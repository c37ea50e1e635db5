// SlotTable: an open-addressing table from hashes to handles.
//
// It knows no keys: whoever asks compares. Hash and handle lie side by side, so that a search that
// fails, growing and erasing touch nothing but the table.
//
// Thread safety: none; the owner locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windlass/workqueue/detail/big_allocator.h"

namespace windlass::workqueue::detail {

using Handle = std::uint32_t;
inline constexpr Handle kNoHandle = 0xFFFFFFFFU;

// Linear probing; erasing moves later slots back, so there are no tombstones.
//
// Invariant: the capacity is a power of two, at most three quarters in use, and, above kSmallest,
// at least an eighth.
class SlotTable {
 public:
  std::size_t size() const { return size_; }

  template <class Matches>
  Handle find(std::uint32_t hash, Matches matches) const {
    if (size_ == 0) return kNoHandle;
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.handle == kNoHandle) return kNoHandle;
      if (slot.hash == hash && matches(slot.handle)) return slot.handle;
    }
  }

  // Makes room for one more, so that insert() cannot fail.
  void reserve_one() {
    if ((size_ + 1) * 4 > slots_.size() * 3) resize(slots_.empty() ? kSmallest : slots_.size() * 2);
  }

  void insert(std::uint32_t hash, Handle handle) {
    std::size_t at = hash & mask_;
    while (slots_[at].handle != kNoHandle) at = (at + 1) & mask_;
    slots_[at] = {hash, handle};
    ++size_;
  }

  // `handle` is in the table under `hash`.
  void erase(std::uint32_t hash, Handle handle) {
    std::size_t hole = hash & mask_;
    while (slots_[hole].handle != handle) hole = (hole + 1) & mask_;
    for (std::size_t at = (hole + 1) & mask_; slots_[at].handle != kNoHandle;
         at = (at + 1) & mask_) {
      // A slot may move back only if its search would still start at or before the hole.
      const std::size_t home = slots_[at].hash & mask_;
      if (((at - home) & mask_) < ((at - hole) & mask_)) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = Slot{};
    --size_;
  }

  void shrink() {
    if (slots_.size() > kSmallest && size_ * 8 < slots_.size()) resize(slots_.size() / 2);
  }

  void prefetch(std::uint32_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & mask_]);
  }

  template <class Function>
  void for_each(Function function) const {
    for (const Slot& slot : slots_) {
      if (slot.handle != kNoHandle) function(slot.handle);
    }
  }

 private:
  static constexpr std::size_t kSmallest = 64;
  struct Slot {
    std::uint32_t hash = 0;
    Handle handle = kNoHandle;
  };

  void resize(std::size_t capacity) {
    std::vector<Slot, BigAllocator<Slot>> old(capacity);
    old.swap(slots_);
    mask_ = capacity - 1;
    size_ = 0;
    for (const Slot& slot : old) {
      if (slot.handle != kNoHandle) insert(slot.hash, slot.handle);
    }
  }

  std::vector<Slot, BigAllocator<Slot>> slots_;
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
};

}  // namespace windlass::workqueue::detail

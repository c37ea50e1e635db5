// EntryPool: entries that never move, named by 32-bit handles.
//
// They lie in blocks of 256. An emptied block is given back, so memory follows the number of
// entries; one that lives on keeps its block. The first 256 blocks stand alone, so that few keys
// take little memory. Beyond, 128 of them make a region in a huge page, because many keys that are
// read at random cost far less there; a region that is mostly empty gives back the pages of its
// empty blocks, and the huge page with them.
//
// Thread safety: none; the owner locks. An entry's address is constant while it lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "windlass/base/check.h"
#include "windlass/workqueue/detail/big_array.h"
#include "windlass/workqueue/detail/slot_table.h"

namespace windlass::workqueue::detail {

// Whoever owns the pool destroys every entry before the pool.
//
// Invariant: a block that holds no entry and is not `current_` has no place in use; alone, it has
// no memory.
template <class Entry>
class EntryPool {
 public:
  EntryPool() = default;
  ~EntryPool() { clear(); }
  EntryPool(const EntryPool&) = delete;
  EntryPool& operator=(const EntryPool&) = delete;

  Entry& entry(Handle handle) { return slot(handle)->entry; }
  const Entry& entry(Handle handle) const { return slot(handle)->entry; }

  template <class... Arguments>
  Handle create(Arguments&&... arguments) {
    if (current_ == kNone || blocks_[current_].live == kSlots) open_block();
    Block& block = blocks_[current_];
    Handle handle = block.free_head;
    if (handle != kNone) {
      const std::uint32_t next = slot(handle)->next_free;
      try {
        new (&slot(handle)->entry) Entry(std::forward<Arguments>(arguments)...);
      } catch (...) {
        slot(handle)->next_free = next;  // half an entry may lie over it
        throw;
      }
      block.free_head = next;
    } else {
      handle = current_ * kSlots + block.untouched;
      new (&slot(handle)->entry) Entry(std::forward<Arguments>(arguments)...);
      ++block.untouched;
    }
    ++block.live;
    return handle;
  }

  void destroy(Handle handle) {
    const std::uint32_t index = handle / kSlots;
    Block& block = blocks_[index];
    slot(handle)->entry.~Entry();
    slot(handle)->next_free = block.free_head;
    block.free_head = handle;
    --block.live;
    if (index == current_) return;
    if (!block.listed) list_as_open(index);
    if (block.live == 0) give_back(index);
  }

  // Gives back all memory; no entry is alive.
  void clear() {
    for (std::uint32_t i = 0; i < blocks_.size() && i < kAlone; ++i) free_block(i);
    for (std::uint32_t i = kAlone; i < blocks_.size(); i += kBlocks) free_region(i);
    std::vector<Block>().swap(blocks_);
    std::vector<std::uint32_t>().swap(used_);
    std::vector<Slot*>().swap(directory_);
    current_ = open_ = kNone;
  }

  bool has_several_blocks() const { return blocks_.size() > 1; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  static constexpr std::uint32_t kSlots = 256;        // of a block
  static constexpr std::uint32_t kAlone = 256;        // the first blocks
  static constexpr std::uint32_t kBlocks = 128;       // of a region
  static constexpr std::uint32_t kFew = kBlocks / 4;  // of them in use: it is mostly empty

  // One place: a live entry, or a link of its block's list of free places.
  union alignas(sizeof(Entry) % 64 == 0 ? 64 : alignof(Entry)) Slot {
    Slot() {}
    ~Slot() {}
    Entry entry;
    std::uint32_t next_free;
  };
  static_assert(alignof(Slot) <= 64, "keys that need a wider alignment are not supported");
  struct Block {
    std::uint32_t free_head = kNone;  // places used and freed again
    std::uint32_t next_open = kNone;  // in the list of blocks with room
    std::uint16_t live = 0;
    std::uint16_t untouched = 0;  // the first place never used; all after it are free too
    bool listed = false;
    bool in_use = false;   // `current_`, or it holds an entry
    bool touched = false;  // its pages may be there
  };
  static constexpr std::size_t kBlockBytes = kSlots * sizeof(Slot);

  Slot* slot(Handle h) const { return directory_[h / kSlots] + h % kSlots; }
  std::uint32_t& used_with(std::uint32_t block) { return used_[(block - kAlone) / kBlocks]; }

  void list_as_open(std::uint32_t index) {
    blocks_[index].listed = true;
    blocks_[index].next_open = std::exchange(open_, index);
  }

  // Takes all memory that it needs before anything changes.
  void open_block() {
    if (open_ == kNone) add_blocks();
    const std::uint32_t index = open_;
    Block& block = blocks_[index];
    if (directory_[index] == nullptr) take_memory(index);
    if (!block.in_use && index >= kAlone) ++used_with(index);
    block.in_use = block.touched = true;
    open_ = std::exchange(block.next_open, kNone);
    block.listed = false;
    current_ = index;
  }

  // One, or those of a region.
  void add_blocks() {
    const auto first = static_cast<std::uint32_t>(blocks_.size());
    const std::uint32_t count = first < kAlone ? 1 : kBlocks;
    WINDLASS_CHECK(first < kNone / kSlots - count);  // handles are used up
    if (first >= kAlone) used_.resize((first - kAlone) / kBlocks + 1);
    directory_.resize(first + count);
    blocks_.resize(first + count);
    for (std::uint32_t i = count; i > 0; --i) list_as_open(first + i - 1);
  }

  void take_memory(std::uint32_t index) {
    if (index < kAlone) {
      directory_[index] = static_cast<Slot*>(big_allocate(kBlockBytes));
      return;
    }
    auto* const memory = static_cast<Slot*>(big_allocate(kBlocks * kBlockBytes));
    const std::uint32_t first = index - (index - kAlone) % kBlocks;
    for (std::uint32_t i = 0; i < kBlocks; ++i) directory_[first + i] = memory + i * kSlots;
  }

  // `index` holds no entry. It stays in the list, and open_block() meets it again.
  void give_back(std::uint32_t index) {
    Block& block = blocks_[index];
    block.untouched = 0;
    block.free_head = kNone;
    block.in_use = false;
    if (index < kAlone) {
      free_block(index);
      return;
    }
    const std::uint32_t first = index - (index - kAlone) % kBlocks;
    const std::uint32_t used = --used_with(index);
    if (used == 0) free_region(first);
    if (used > kFew) return;
    for (std::uint32_t i = 0; i < kBlocks; ++i) discard(first + i);
  }

  void discard(std::uint32_t index) {
    Block& block = blocks_[index];
    if (!block.in_use && std::exchange(block.touched, false)) {
      big_discard(directory_[index], kBlockBytes);
    }
  }

  void free_block(std::uint32_t index) {
    big_free(std::exchange(directory_[index], nullptr), kBlockBytes);
  }

  void free_region(std::uint32_t first) {
    big_free(directory_[first], kBlocks * kBlockBytes);
    for (std::uint32_t i = first; i < first + kBlocks; ++i) {
      directory_[i] = nullptr;
      blocks_[i].touched = false;
    }
  }

  std::vector<Slot*> directory_;  // for each block, where it lies
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> used_;  // for each region, how many of its blocks are in use
  std::uint32_t current_ = kNone;
  std::uint32_t open_ = kNone;  // blocks with room
};

}  // namespace windlass::workqueue::detail

// EntryPool: entries that never move, named by 32-bit handles.
//
// They lie in chunks. An emptied chunk is given back, so memory follows the number of entries; one
// that lives on keeps its chunk: 16 KiB, or 2 MiB beyond the first 65,536 entries.
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
// Invariant: no chunk but `current_` has memory and no entry.
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
    if (current_ == kNone || chunks_[current_].live == size_of(current_)) open_chunk();
    Chunk& chunk = chunks_[current_];
    Handle handle = chunk.free_head;
    if (handle != kNone) {
      const std::uint32_t next = slot(handle)->next_free;
      try {
        new (&slot(handle)->entry) Entry(std::forward<Arguments>(arguments)...);
      } catch (...) {
        slot(handle)->next_free = next;  // half an entry may lie over it
        throw;
      }
      chunk.free_head = next;
    } else {
      handle = first_of(current_) + chunk.untouched;
      new (&slot(handle)->entry) Entry(std::forward<Arguments>(arguments)...);
      ++chunk.untouched;
    }
    ++chunk.live;
    return handle;
  }

  void destroy(Handle handle) {
    const std::uint32_t index = chunk_of(handle);
    Chunk& chunk = chunks_[index];
    slot(handle)->entry.~Entry();
    slot(handle)->next_free = chunk.free_head;
    chunk.free_head = handle;
    --chunk.live;
    if (index == current_) return;
    if (!chunk.listed) list_as_open(index);
    if (chunk.live == 0) give_back(index);
  }

  // Gives back all memory; no entry is alive.
  void clear() {
    for (std::uint32_t chunk = 0; chunk < chunks_.size(); ++chunk) free_memory(chunk);
    std::vector<Chunk>().swap(chunks_);
    std::vector<Slot*>().swap(directory_);
    current_ = open_ = kNone;
  }

  bool has_several_chunks() const { return chunks_.size() > 1; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  // The directory has an entry for each 256 handles. The first chunks are as small, so that few
  // keys take little memory; with many keys a chunk is worth a huge page, and so many keys read at
  // random cost far less.
  static constexpr std::uint32_t kSmallBits = 8;
  static constexpr std::uint32_t kSmallMask = (1U << kSmallBits) - 1;
  static constexpr std::uint32_t kSmallChunks = 256;
  static constexpr std::uint32_t kLargeBits = 15;
  static constexpr std::uint32_t kLargeFrom = kSmallChunks << kSmallBits;  // the first handle

  // One place: a live entry, or a link of its chunk's list of free places.
  union alignas(sizeof(Entry) % 64 == 0 ? 64 : alignof(Entry)) Slot {
    Slot() {}
    ~Slot() {}
    Entry entry;
    std::uint32_t next_free;
  };
  static_assert(alignof(Slot) <= 64, "keys that need a wider alignment are not supported");
  struct Chunk {
    std::uint32_t live = 0;
    std::uint32_t untouched = 0;      // the first place never used; all after it are free too
    std::uint32_t free_head = kNone;  // places used and freed again
    std::uint32_t next_open = kNone;  // in the list of chunks with room
    bool listed = false;
  };

  Slot* slot(Handle h) const { return directory_[h >> kSmallBits] + (h & kSmallMask); }

  static std::uint32_t size_of(std::uint32_t chunk) {
    return 1U << (chunk < kSmallChunks ? kSmallBits : kLargeBits);
  }
  static Handle first_of(std::uint32_t chunk) {
    return chunk < kSmallChunks ? chunk << kSmallBits
                                : kLargeFrom + ((chunk - kSmallChunks) << kLargeBits);
  }
  static std::uint32_t chunk_of(Handle h) {
    return h < kLargeFrom ? h >> kSmallBits : kSmallChunks + ((h - kLargeFrom) >> kLargeBits);
  }

  // The memory of an emptied chunk goes at once; its number is used again when open_chunk() meets
  // it.
  void give_back(std::uint32_t index) {
    Chunk& chunk = chunks_[index];
    free_memory(index);
    chunk.untouched = 0;
    chunk.free_head = kNone;
  }

  void list_as_open(std::uint32_t index) {
    chunks_[index].listed = true;
    chunks_[index].next_open = std::exchange(open_, index);
  }

  // Takes all memory that it needs before anything changes.
  void open_chunk() {
    if (open_ == kNone) add_chunk();
    const std::uint32_t index = open_;
    if (memory_of(index) == nullptr) take_memory(index);
    Chunk& chunk = chunks_[index];
    open_ = std::exchange(chunk.next_open, kNone);
    chunk.listed = false;
    current_ = index;
  }

  void add_chunk() {
    const auto index = static_cast<std::uint32_t>(chunks_.size());
    WINDLASS_CHECK(first_of(index + 1) > first_of(index));  // handles are used up
    directory_.resize(first_of(index + 1) >> kSmallBits);
    chunks_.emplace_back();
    list_as_open(index);
  }

  Slot*& memory_of(std::uint32_t chunk) { return directory_[first_of(chunk) >> kSmallBits]; }

  void take_memory(std::uint32_t chunk) {
    set_memory(chunk, static_cast<Slot*>(big_allocate(size_of(chunk) * sizeof(Slot))));
  }

  void free_memory(std::uint32_t chunk) {
    if (memory_of(chunk) == nullptr) return;
    big_free(memory_of(chunk), size_of(chunk) * sizeof(Slot));
    set_memory(chunk, nullptr);
  }

  void set_memory(std::uint32_t chunk, Slot* memory) {
    const Handle first = first_of(chunk);
    for (std::uint32_t at = 0; at < size_of(chunk); at += 1U << kSmallBits) {
      directory_[(first + at) >> kSmallBits] = memory == nullptr ? nullptr : memory + at;
    }
  }

  std::vector<Slot*> directory_;
  std::vector<Chunk> chunks_;
  std::uint32_t current_ = kNone;
  std::uint32_t open_ = kNone;  // chunks with room, of which those without an entry have no memory
};

}  // namespace windlass::workqueue::detail

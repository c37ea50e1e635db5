// KeyIndex: a hash index of keys whose entries never move and are named by 32-bit handles.
//
// Entries live in chunks; an open-addressing table of {hash, handle} finds them. A chunk that has
// emptied is given back, and the table shrinks, so memory follows the number of keys held.
//
// Thread safety: none; the owner locks. An entry's key is constant from insertion to erasure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "windlass/base/check.h"
#include "windlass/workqueue/detail/slot_table.h"
#include "windlass/workqueue/key.h"

namespace windlass::workqueue::detail {

// `State` is what the owner keeps for each key. It has a member `std::uint32_t hash`, which the
// index sets.
//
// Invariant: the table holds exactly the live entries. No chunk but `current_` is empty.
template <class Key, class State>
class KeyIndex {
 public:
  using Traits = KeyTraits<Key>;
  using View = typename Traits::View;
  struct Entry {
    Entry(View view) : key(view) {}
    typename Traits::Stored key;
    State state{};
  };

  explicit KeyIndex(std::uint64_t seed) : seed_(seed) {}
  ~KeyIndex() { clear(); }
  KeyIndex(const KeyIndex&) = delete;
  KeyIndex& operator=(const KeyIndex&) = delete;

  // The hash that all calls here want; needs no lock where the seed is known.
  static std::uint32_t hash(View key, std::uint64_t seed) { return Traits::hash(key, seed); }
  std::uint32_t hash(View key) const { return hash(key, seed_); }
  std::size_t size() const { return table_.size(); }

  // The handle of `key`, or kNoHandle.
  Handle find(View key, std::uint32_t hash) const {
    return table_.find(hash, [&](Handle h) { return Traits::view(entry(h).key) == key; });
  }

  // `key` is not in the index.
  Handle insert(View key, std::uint32_t hash) {
    table_.reserve_one();
    const Handle handle = allocate(key);
    entry(handle).state.hash = hash;
    table_.insert(hash, handle);
    return handle;
  }

  void erase(Handle handle) {
    table_.erase(entry(handle).state.hash, handle);
    release(handle);
    table_.shrink();
    if (table_.size() == 0 && chunks_.size() > 1) start_over();
  }

  Entry& entry(Handle handle) { return slot(handle)->entry; }
  const Entry& entry(Handle handle) const { return slot(handle)->entry; }
  State& state(Handle handle) { return entry(handle).state; }
  const State& state(Handle handle) const { return entry(handle).state; }
  View key(Handle handle) const { return Traits::view(entry(handle).key); }

  void prefetch_entry(Handle handle) const { __builtin_prefetch(slot(handle), 1); }

  // Brings what find() and erase() of an entry with this hash will touch into the cache.
  void prefetch(std::uint32_t hash) const { table_.prefetch(hash); }

  template <class Function>
  void for_each(Function function) const {
    table_.for_each(function);
  }

 private:
  static constexpr std::uint32_t kChunkBits = 8;
  static constexpr std::uint32_t kChunkSize = 1U << kChunkBits;
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  // One place: a live entry, or a link of its chunk's list of free places.
  union alignas(sizeof(Entry) % 64 == 0 ? 64 : alignof(Entry)) Slot {
    Slot() {}
    ~Slot() {}
    Entry entry;
    std::uint32_t next_free;
  };
  struct Chunk {
    std::unique_ptr<Slot[]> slots;
    std::uint32_t live = 0;
    std::uint32_t untouched = 0;      // the first place never used; all after it are free too
    std::uint32_t free_head = kNone;  // places used and freed again
    std::uint32_t next_open = kNone;  // in the list of chunks with room, or of those without memory
    bool listed = false;

    bool full() const { return live == kChunkSize; }
  };

  Slot* slot(Handle h) { return &chunks_[h >> kChunkBits].slots[h & (kChunkSize - 1)]; }
  const Slot* slot(Handle h) const { return &chunks_[h >> kChunkBits].slots[h & (kChunkSize - 1)]; }

  Handle allocate(View key) {
    if (current_ == kNone || chunks_[current_].full()) open_chunk();
    Chunk& chunk = chunks_[current_];
    std::uint32_t place = chunk.free_head;
    if (place != kNone) {
      const std::uint32_t next = chunk.slots[place].next_free;
      new (&chunk.slots[place].entry) Entry(key);
      chunk.free_head = next;
    } else {
      place = chunk.untouched;
      new (&chunk.slots[place].entry) Entry(key);
      ++chunk.untouched;
    }
    ++chunk.live;
    return current_ << kChunkBits | place;
  }

  void release(Handle handle) {
    const std::uint32_t index = handle >> kChunkBits;
    const std::uint32_t place = handle & (kChunkSize - 1);
    Chunk& chunk = chunks_[index];
    chunk.slots[place].entry.~Entry();
    chunk.slots[place].next_free = chunk.free_head;
    chunk.free_head = place;
    --chunk.live;
    if (index == current_) return;
    if (chunk.live == 0) {
      give_back(chunk);
    } else if (!chunk.listed) {
      chunk.listed = true;
      chunk.next_open = open_;
      open_ = index;
    }
  }

  // The memory of an emptied chunk goes at once; its number is used again.
  void give_back(Chunk& chunk) {
    chunk.slots.reset();
    chunk.untouched = 0;
    chunk.free_head = kNone;
    if (chunk.listed) return;  // open_chunk() meets it there
    chunk.listed = true;
    chunk.next_open = vacant_;
    vacant_ = static_cast<std::uint32_t>(&chunk - chunks_.data());
  }

  void open_chunk() {
    std::uint32_t& list = open_ != kNone ? open_ : vacant_;
    std::uint32_t index = list;
    if (index != kNone) {
      list = chunks_[index].next_open;
    } else {
      WINDLASS_CHECK(chunks_.size() < (kNoHandle >> kChunkBits));
      index = static_cast<std::uint32_t>(chunks_.size());
      chunks_.emplace_back();
    }
    Chunk& chunk = chunks_[index];
    chunk.listed = false;
    chunk.next_open = kNone;
    if (chunk.slots == nullptr) chunk.slots = std::make_unique_for_overwrite<Slot[]>(kChunkSize);
    current_ = index;
  }

  void start_over() {
    std::vector<Chunk>().swap(chunks_);
    current_ = open_ = vacant_ = kNone;
  }

  void clear() {
    for_each([this](Handle handle) { entry(handle).~Entry(); });
  }

  const std::uint64_t seed_;
  SlotTable table_;
  std::vector<Chunk> chunks_;
  std::uint32_t current_ = kNone;
  std::uint32_t open_ = kNone;    // chunks with room
  std::uint32_t vacant_ = kNone;  // chunks without memory
};

}  // namespace windlass::workqueue::detail

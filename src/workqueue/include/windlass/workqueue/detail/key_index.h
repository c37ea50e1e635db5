// KeyIndex: a hash index of keys whose entries never move and are named by 32-bit handles.
//
// Entries lie in a pool; an open-addressing table of {hash, handle} finds them. Both give back what
// they do not need, so memory follows the number of keys held.
//
// Thread safety: none; the owner locks. An entry's key is constant from insertion to erasure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "windlass/workqueue/detail/entry_pool.h"
#include "windlass/workqueue/detail/slot_table.h"
#include "windlass/workqueue/detail/spare_keys.h"
#include "windlass/workqueue/key.h"

namespace windlass::workqueue::detail {

// `State` is what the owner keeps for each key. It has a member `std::uint32_t hash`, which the
// index sets.
//
// Invariant: the table holds exactly the entries of the pool.
template <class Key, class State>
class KeyIndex {
 public:
  using Traits = KeyTraits<Key>;
  using View = typename Traits::View;
  struct Entry {
    explicit Entry(View view) : key(view) {}
    explicit Entry(typename Traits::Stored&& stored)
      requires ReusableKeys<Traits>
        : key(std::move(stored)) {}
    typename Traits::Stored key;
    State state{};
  };

  explicit KeyIndex(std::uint64_t seed) : seed_(seed) {}
  ~KeyIndex() {
    for_each([this](Handle handle) { pool_.destroy(handle); });
  }
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
    const Handle handle = create(key);
    entry(handle).state.hash = hash;
    table_.insert(hash, handle);
    return handle;
  }

  void erase(Handle handle) {
    table_.erase(entry(handle).state.hash, handle);
    if constexpr (ReusableKeys<Traits>) spares_.keep(entry(handle).key);
    pool_.destroy(handle);
    table_.shrink();
    if (table_.size() == 0 && pool_.has_several_blocks()) pool_.clear();
  }

  Entry& entry(Handle handle) { return pool_.entry(handle); }
  const Entry& entry(Handle handle) const { return pool_.entry(handle); }
  State& state(Handle handle) { return entry(handle).state; }
  const State& state(Handle handle) const { return entry(handle).state; }
  View key(Handle handle) const { return Traits::view(entry(handle).key); }

  // Brings what find() and erase() of an entry with this hash will touch into the cache.
  void prefetch(std::uint32_t hash) const { table_.prefetch(hash); }

  template <class Function>
  void for_each(Function function) const {
    table_.for_each(function);
  }

 private:
  static auto spares_for() {
    if constexpr (ReusableKeys<Traits>) {
      return SpareKeys<Traits>();
    } else {
      return NoSpareKeys();
    }
  }

  Handle create(View key) {
    if constexpr (ReusableKeys<Traits>) {
      if (Traits::wants_memory(key)) {
        if (!spares_.empty()) return pool_.create(spares_.take(key));
        spares_.reserve();
      }
    }
    return pool_.create(key);
  }

  const std::uint64_t seed_;
  SlotTable table_;
  EntryPool<Entry> pool_;
  [[no_unique_address]] decltype(spares_for()) spares_;
};

}  // namespace windlass::workqueue::detail

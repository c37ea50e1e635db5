// SpareKeys: the memory of keys that are gone, for those to come.
//
// Keys with text on the heap would otherwise take memory from the system with each add, under the
// queue's lock, and leave it to the thread that ends the run.
//
// Thread safety: none; the owner locks.
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace windlass::workqueue::detail {

// Traits of keys whose memory can be used again.
template <class Traits>
concept ReusableKeys = requires(typename Traits::Stored& stored, typename Traits::View view) {
  { Traits::wants_memory(view) } -> std::same_as<bool>;        // more than the key itself
  { Traits::memory_of(stored) } -> std::same_as<std::size_t>;  // in bytes; 0: none to keep
  Traits::reuse(stored, view);                                 // throws before it changes anything
};

template <ReusableKeys Traits>
class SpareKeys {
 public:
  using Stored = typename Traits::Stored;

  // What keep() may need later; throws std::bad_alloc.
  void reserve() { spares_.reserve(kMost); }

  bool empty() const { return spares_.empty(); }

  // One that holds `view` now; there is one.
  Stored take(typename Traits::View view) {
    Traits::reuse(spares_.back(), view);
    Stored taken = std::move(spares_.back());
    spares_.pop_back();
    return taken;
  }

  // `stored` is of no more use to its owner.
  void keep(Stored& stored) noexcept {
    const std::size_t memory = Traits::memory_of(stored);
    if (memory == 0 || memory > kBytesMost || spares_.size() == spares_.capacity()) return;
    spares_.push_back(std::move(stored));
  }

 private:
  static constexpr std::size_t kMost = 64;
  static constexpr std::size_t kBytesMost = 1024;

  std::vector<Stored> spares_;
};

// For keys that have no memory of their own, or none that can be used again.
struct NoSpareKeys {};

}  // namespace windlass::workqueue::detail

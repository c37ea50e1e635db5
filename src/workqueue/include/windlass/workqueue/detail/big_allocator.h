// BigAllocator: a standard allocator that asks for huge pages once the memory is worth some.
//
// A table of millions of slots is read at random: with pages of 4 KiB most reads would also have
// to find their page.
#pragma once

#include <cstddef>
#include <new>

namespace windlass::workqueue::detail {

// Both are plain aligned allocations; where the system has no huge pages, so it stays.
void* allocate_big(std::size_t bytes);
void free_big(void* memory, std::size_t bytes) noexcept;

template <class T>
struct BigAllocator {
  using value_type = T;

  BigAllocator() = default;
  template <class U>
  BigAllocator(const BigAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_big(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { free_big(memory, count * sizeof(T)); }

  friend bool operator==(const BigAllocator&, const BigAllocator&) { return true; }
};

}  // namespace windlass::workqueue::detail

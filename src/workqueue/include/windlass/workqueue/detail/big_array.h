// BigArray: memory for tables of millions, that starts as zero bytes and grows without copying.
//
// From 2 MiB on it lies in huge pages, where the system has them: a table that is read at random
// would otherwise have to find the page of most of its slots. Such an array grows by moving its
// pages, and goes back to the system as soon as it is given back.
//
// Thread safety: none; the owner locks.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace windlass::workqueue::detail {

// All sizes in bytes; what is new is zero. Aligned to a cache line. Throws std::bad_alloc.
void* big_allocate(std::size_t bytes);
void* big_resize(void* memory, std::size_t from, std::size_t to);
void big_free(void* memory, std::size_t bytes) noexcept;

// Gives the whole pages of a part back to the system, where it can be told; what they held is lost.
void big_discard(void* part, std::size_t bytes) noexcept;

template <class T>
class BigArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  BigArray() = default;
  explicit BigArray(std::size_t count) { resize(count); }
  BigArray(BigArray&& other) noexcept { swap(other); }
  BigArray& operator=(BigArray&& other) noexcept {
    BigArray(std::move(other)).swap(*this);
    return *this;
  }
  ~BigArray() { big_free(data_, size_ * sizeof(T)); }

  std::size_t size() const { return size_; }
  T& operator[](std::size_t at) { return data_[at]; }
  const T& operator[](std::size_t at) const { return data_[at]; }

  void resize(std::size_t count) {
    data_ = static_cast<T*>(big_resize(data_, size_ * sizeof(T), count * sizeof(T)));
    size_ = count;
  }

  // Stays as large as it is where there is no memory to become smaller: a move may take some.
  void shrink(std::size_t count) noexcept {
    try {
      resize(count);
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  void swap(BigArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace windlass::workqueue::detail

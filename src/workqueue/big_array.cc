#include "windlass/workqueue/detail/big_array.h"

#include <algorithm>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace windlass::workqueue::detail {
namespace {

constexpr std::align_val_t kCacheLine{64};

#if defined(__linux__)

constexpr std::size_t kHugePage = std::size_t{2} << 20U;

bool is_mapped(std::size_t bytes) { return bytes >= kHugePage; }

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

void* map_pages(std::size_t bytes) {
  const std::size_t wanted = whole_pages(bytes);
  void* const mapped =
      mmap(nullptr, wanted + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  // Cut to where huge pages begin and end.
  char* const start = static_cast<char*>(mapped);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(start) % kHugePage);
  munmap(start, before % kHugePage);
  char* const memory = start + before % kHugePage;
  munmap(memory + wanted, kHugePage - before % kHugePage);
  // A hint: without it the memory works as well, only slower.
  madvise(memory, wanted, MADV_HUGEPAGE);
  return memory;
}

void unmap_pages(void* memory, std::size_t bytes) { munmap(memory, whole_pages(bytes)); }

void* resize_pages(void* memory, std::size_t from, std::size_t to) {
  char* const end = static_cast<char*>(memory) + to;
  const std::size_t used = std::min(from, whole_pages(to));
  if (to < used) std::memset(end, 0, used - to);
  from = whole_pages(from);
  to = whole_pages(to);
  if (to < from) munmap(static_cast<char*>(memory) + to, from - to);
  if (to <= from) return memory;
  void* const larger = map_pages(to);
  if (mremap(memory, from, from, MREMAP_MAYMOVE | MREMAP_FIXED, larger) == MAP_FAILED) {
    unmap_pages(larger, to);
    throw std::bad_alloc();
  }
  return larger;
}

void discard_pages(void* part, std::size_t bytes) {
  static const auto kPage = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(part);
  const std::uintptr_t first = (start + kPage - 1) / kPage * kPage;
  const std::uintptr_t end = (start + bytes) / kPage * kPage;
  if (first < end) madvise(static_cast<char*>(part) + (first - start), end - first, MADV_DONTNEED);
}

#else

bool is_mapped(std::size_t) { return false; }
void* map_pages(std::size_t) { return nullptr; }
void unmap_pages(void*, std::size_t) {}
void* resize_pages(void*, std::size_t, std::size_t) { return nullptr; }
void discard_pages(void*, std::size_t) {}

#endif

}  // namespace

void* big_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  if (is_mapped(bytes)) return map_pages(bytes);
  void* const memory = ::operator new(bytes, kCacheLine);
  std::memset(memory, 0, bytes);
  return memory;
}

void* big_resize(void* memory, std::size_t from, std::size_t to) {
  if (is_mapped(from) && is_mapped(to)) return resize_pages(memory, from, to);
  void* const other = big_allocate(to);
  if (const std::size_t kept = std::min(from, to); kept > 0) std::memcpy(other, memory, kept);
  big_free(memory, from);
  return other;
}

void big_free(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  if (is_mapped(bytes)) {
    unmap_pages(memory, bytes);
  } else {
    ::operator delete(memory, kCacheLine);
  }
}

void big_discard(void* part, std::size_t bytes) noexcept { discard_pages(part, bytes); }

}  // namespace windlass::workqueue::detail

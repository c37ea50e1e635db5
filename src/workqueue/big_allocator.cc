#include "windlass/workqueue/detail/big_allocator.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace windlass::workqueue::detail {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;
constexpr std::size_t kCacheLine = 64;

std::align_val_t alignment_for(std::size_t bytes) {
  return std::align_val_t{bytes >= kHugePage ? kHugePage : kCacheLine};
}

}  // namespace

void* allocate_big(std::size_t bytes) {
  void* memory = ::operator new(bytes, alignment_for(bytes));
#if defined(__linux__)
  if (bytes >= kHugePage) {
    // A hint: without it the memory works as well, only slower. Ends on a whole huge page so that
    // the rest of the heap keeps its small ones.
    madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
  }
#endif
  return memory;
}

void free_big(void* memory, std::size_t bytes) noexcept {
  ::operator delete(memory, alignment_for(bytes));
}

}  // namespace windlass::workqueue::detail

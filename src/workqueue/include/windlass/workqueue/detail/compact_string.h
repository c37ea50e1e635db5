// CompactString: a string in 24 bytes, without an allocation up to 23 of them.
//
// The key index keeps its strings in these: a node with a usual key then fills one cache line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

namespace windlass::workqueue::detail {

// Invariant: the last byte is the length of the text in `bytes_`, or kOnHeap; then `bytes_` holds
// a Heap.
class CompactString {
 public:
  static constexpr std::size_t kInlineMax = 23;

  explicit CompactString(std::string_view text) {
    if (text.size() <= kInlineMax) {
      if (!text.empty()) std::memcpy(bytes_, text.data(), text.size());
      bytes_[kInlineMax] = static_cast<char>(text.size());
    } else {
      put({.text = copy_of(text), .size = text.size(), .room = room_for(text)});
      bytes_[kInlineMax] = kOnHeap;
    }
  }
  CompactString(CompactString&& other) noexcept {
    std::memcpy(bytes_, other.bytes_, sizeof bytes_);
    other.bytes_[kInlineMax] = 0;
  }
  CompactString& operator=(CompactString&&) = delete;
  ~CompactString() {
    if (on_heap()) delete[] heap().text;
  }

  // Becomes `text`, in the memory it has where that is enough. It is on the heap, and stays there.
  void reuse_for(std::string_view text) {
    Heap heap = this->heap();
    if (heap.room < text.size()) {
      char* const larger = copy_of(text);
      delete[] std::exchange(heap.text, larger);
      heap.room = room_for(text);
    } else if (!text.empty()) {
      std::memcpy(heap.text, text.data(), text.size());
    }
    heap.size = text.size();
    put(heap);
  }

  std::string_view view() const {
    if (!on_heap()) return {bytes_, static_cast<std::size_t>(bytes_[kInlineMax])};
    const Heap heap = this->heap();
    return {heap.text, heap.size};
  }

  bool on_heap() const { return bytes_[kInlineMax] == kOnHeap; }

 private:
  struct Heap {
    char* text;
    std::size_t size;
    std::uint32_t room;  // of `text`, or a part of it
  };
  static constexpr char kOnHeap = 127;

  static char* copy_of(std::string_view text) {
    char* const copy = new char[text.size()];
    std::memcpy(copy, text.data(), text.size());
    return copy;
  }
  static std::uint32_t room_for(std::string_view text) {
    return static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), UINT32_MAX));
  }

  Heap heap() const {
    Heap heap;
    std::memcpy(&heap, bytes_, kHeapBytes);
    return heap;
  }
  void put(const Heap& heap) { std::memcpy(bytes_, &heap, kHeapBytes); }

  static constexpr std::size_t kHeapBytes = offsetof(Heap, room) + sizeof(Heap::room);
  static_assert(kHeapBytes <= kInlineMax);

  alignas(8) char bytes_[kInlineMax + 1];
};

}  // namespace windlass::workqueue::detail

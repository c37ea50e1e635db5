// CompactString: an unchanging string in 24 bytes, without an allocation up to 23 of them.
//
// The key index keeps its strings in these: a node with a usual key then fills one cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace windlass::workqueue::detail {

// Invariant: the last byte is the length of the text in `bytes_`, or kOnHeap; then `bytes_` holds
// a pointer and a size.
class CompactString {
 public:
  explicit CompactString(std::string_view text) {
    if (text.size() <= kInlineMax) {
      if (!text.empty()) std::memcpy(bytes_, text.data(), text.size());
      bytes_[kInlineMax] = static_cast<char>(text.size());
      return;
    }
    char* copy = new char[text.size()];
    std::memcpy(copy, text.data(), text.size());
    const std::size_t size = text.size();
    std::memcpy(bytes_, &copy, sizeof copy);
    std::memcpy(bytes_ + sizeof copy, &size, sizeof size);
    bytes_[kInlineMax] = kOnHeap;
  }
  ~CompactString() {
    if (bytes_[kInlineMax] == kOnHeap) delete[] heap();
  }
  CompactString(const CompactString&) = delete;
  CompactString& operator=(const CompactString&) = delete;

  std::string_view view() const {
    if (bytes_[kInlineMax] != kOnHeap) {
      return {bytes_, static_cast<std::size_t>(bytes_[kInlineMax])};
    }
    std::size_t size = 0;
    std::memcpy(&size, bytes_ + sizeof(char*), sizeof size);
    return {heap(), size};
  }

 private:
  static constexpr std::size_t kInlineMax = 23;
  static constexpr char kOnHeap = 127;

  char* heap() const {
    char* text = nullptr;
    std::memcpy(&text, bytes_, sizeof text);
    return text;
  }

  alignas(8) char bytes_[kInlineMax + 1];
};

}  // namespace windlass::workqueue::detail

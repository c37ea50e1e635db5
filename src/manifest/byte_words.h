// Looking at eight bytes of a text at once, for passes over whole files.
//
// Pure functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace windlass::manifest {

// `byte` in all eight bytes.
constexpr std::uint64_t repeated(unsigned char byte) { return 0x0101010101010101U * byte; }

constexpr std::uint64_t kHighBits = repeated(0x80);

// The high bit of each byte of `word` that equals `byte`.
constexpr std::uint64_t equal_bytes(std::uint64_t word, unsigned char byte) {
  const std::uint64_t different = word ^ repeated(byte);
  const std::uint64_t low_bits = repeated(0x7F);
  return ~(((different & low_bits) + low_bits) | different | low_bits);
}

// The high bit of each byte that is ASCII and less than 0x20.
constexpr std::uint64_t control_bytes(std::uint64_t word) {
  return ~((word | kHighBits) - repeated(0x20)) & ~word & kHighBits;
}

// How many high bits are set in `mask`, which has no others.
constexpr std::size_t count_bytes(std::uint64_t mask) {
  return static_cast<std::size_t>(((mask >> 7U) * repeated(1)) >> 56U);
}

// Calls visit(word) for all of `text`; the last word is filled up with blanks.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  std::uint64_t word = 0;
  std::size_t at = 0;
  for (; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    visit(word);
  }
  word = repeated(' ');
  std::memcpy(&word, text.data() + at, text.size() - at);
  visit(word);
}

}  // namespace windlass::manifest

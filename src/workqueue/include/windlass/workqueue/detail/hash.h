// Hashes for the key index: quick on short keys, every bit usable, and with a seed, so that nobody
// who does not know it can choose keys that collide.
#pragma once

#include <bit>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace windlass::workqueue::detail {

__extension__ typedef unsigned __int128 Uint128;
__extension__ typedef __int128 Int128;

inline constexpr std::uint64_t kOdd1 = 0x9E3779B97F4A7C15U;
inline constexpr std::uint64_t kOdd2 = 0xD6E8FEB86659FD93U;

// The two halves of a full product, folded: every input bit reaches every output bit.
inline std::uint64_t multiply_fold(std::uint64_t a, std::uint64_t b) {
  const Uint128 product = static_cast<Uint128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

// From the operating system, once for each process.
std::uint64_t process_seed();

// Differs from process to process and from object to object.
inline std::uint64_t seed_from(const void* object) {
  return multiply_fold(reinterpret_cast<std::uintptr_t>(object) ^ process_seed(), kOdd1);
}

inline std::uint64_t load(const char* from, std::size_t size) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, size);
  return word;
}

// The 32 bits that the index wants.
inline std::uint32_t narrowed(std::uint64_t hash) {
  return static_cast<std::uint32_t>(hash >> 16U);
}

// Spreads a std::hash value, which may be the identity, over 32 bits.
inline std::uint32_t fold(std::size_t hash, std::uint64_t seed) {
  return narrowed(multiply_fold(hash ^ seed ^ kOdd1, kOdd2));
}

inline std::uint64_t hash_bytes(std::string_view text, std::uint64_t seed) {
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t state = seed ^ multiply_fold(left ^ kOdd1, kOdd2);
  // Both factors of each product depend on the seed: a word chosen to make one of them zero would
  // make the product zero, whatever the rest of the text.
  const std::uint64_t other = std::rotl(seed, 32) ^ kOdd2;
  while (left > 16) {
    state = multiply_fold(load(at, 8) ^ state, load(at + 8, 8) ^ other);
    at += 16;
    left -= 16;
  }
  // The last 16 bytes as two words; they may overlap each other, never the text's bounds.
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (left >= 8) {
    low = load(at, 8);
    high = load(at + left - 8, 8);
  } else if (left >= 4) {
    low = load(at, 4);
    high = load(at + left - 4, 4);
  } else if (left > 0) {
    low = load(at, 1) | load(at + left / 2, 1) << 8U | load(at + left - 1, 1) << 16U;
  }
  state = multiply_fold(low ^ state ^ kOdd1, high ^ other);
  return multiply_fold(state ^ kOdd1, state ^ other);
}

}  // namespace windlass::workqueue::detail

#include "windlass/workqueue/detail/hash.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>

#include "windlass/workqueue/key.h"

namespace windlass::workqueue::detail {
namespace {

constexpr std::size_t kTexts = 1000;

std::string bytes_of(std::uint64_t word) {
  std::string text(sizeof(word), '\0');
  std::memcpy(text.data(), &word, sizeof(word));
  return text;
}

// How many different hashes `text_of(i)` has for i below kTexts.
template <class TextOf>
std::size_t hashes(std::uint64_t seed, TextOf text_of) {
  std::set<std::uint32_t> all;
  for (std::size_t i = 0; i < kTexts; ++i) all.insert(narrowed(hash_bytes(text_of(i), seed)));
  return all.size();
}

// Goal: a product of which one factor is zero forgets the other. Method: each constant of the
// function, where an attacker would put it, with everything else free.
TEST(Hash, NoWordMakesTheRestOfTheTextIrrelevant) {
  const int object = 0;
  for (const std::uint64_t seed : {std::uint64_t{1}, seed_from(&object)}) {
    for (const std::uint64_t word : {kOdd1, kOdd2, kOdd1 ^ kOdd2, std::uint64_t{0}}) {
      const std::string chosen = bytes_of(word);
      EXPECT_GT(hashes(seed, [&](auto i) { return bytes_of(i) + chosen; }), kTexts - 5);
      EXPECT_GT(hashes(seed, [&](auto i) { return chosen + bytes_of(i); }), kTexts - 5);
      EXPECT_GT(hashes(seed, [&](auto i) { return bytes_of(i) + chosen + std::string(16, 'x'); }),
                kTexts - 5);
      EXPECT_GT(hashes(seed, [&](auto i) { return chosen + bytes_of(i) + std::string(16, 'x'); }),
                kTexts - 5);
    }
  }
}

TEST(Hash, DependsOnTheSeedAtEveryLength) {
  for (std::size_t length = 0; length <= 70; ++length) {
    const std::string text(length, 'k');
    std::set<std::uint32_t> all;
    for (std::uint64_t seed = 0; seed < kTexts; ++seed) {
      all.insert(narrowed(hash_bytes(text, multiply_fold(seed + 1, kOdd1))));
    }
    EXPECT_GT(all.size(), kTexts - 5) << length;
  }
}

TEST(Hash, DependsOnEveryByteAndOnTheLength) {
  for (std::size_t length = 1; length <= 70; ++length) {
    const std::string text(length, 'k');
    std::set<std::uint32_t> all = {narrowed(hash_bytes(text, 7)),
                                   narrowed(hash_bytes(text + 'k', 7))};
    for (std::size_t at = 0; at < length; ++at) {
      std::string other = text;
      other[at] = 'l';
      all.insert(narrowed(hash_bytes(other, 7)));
    }
    EXPECT_EQ(all.size(), length + 2) << length;
  }
}

TEST(Hash, OfAnObjectsNameDependsOnTheSeedAndOnBothParts) {
  using Traits = KeyTraits<NamespacedName>;
  std::set<std::uint32_t> all;
  for (std::uint64_t seed = 0; seed < 100; ++seed) all.insert(Traits::hash({"ns", "web"}, seed));
  all.insert(Traits::hash({"nsw", "eb"}, 0));
  all.insert(Traits::hash({"", "nsweb"}, 0));
  all.insert(Traits::hash({"web", "ns"}, 0));
  EXPECT_EQ(all.size(), 103U);
}

TEST(Hash, SeedsDifferFromObjectToObject) {
  const int objects[2] = {};
  EXPECT_NE(seed_from(&objects[0]), seed_from(&objects[1]));
}

}  // namespace
}  // namespace windlass::workqueue::detail

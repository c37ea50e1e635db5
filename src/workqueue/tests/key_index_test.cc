#include "windlass/workqueue/detail/key_index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace windlass::workqueue::detail {
namespace {

struct State {
  std::uint32_t hash = 0;
  int value = 0;
};

template <class Key>
Handle lookup(const KeyIndex<Key, State>& index, KeyView<Key> key) {
  return index.find(key, index.hash(key));
}

TEST(KeyIndex, FindsWhatItHoldsAndNothingElse) {
  KeyIndex<std::string, State> index(7);
  for (int i = 0; i < 5000; ++i) {
    const std::string key = "key-" + std::to_string(i);
    index.state(index.insert(key, index.hash(key))).value = i;
  }
  for (int i = 0; i < 5000; i += 2)
    index.erase(lookup<std::string>(index, "key-" + std::to_string(i)));
  EXPECT_EQ(index.size(), 2500U);
  for (int i = 0; i < 5000; ++i) {
    const std::string key = "key-" + std::to_string(i);
    const Handle handle = lookup<std::string>(index, key);
    ASSERT_EQ(handle != kNoHandle, i % 2 == 1) << key;
    if (handle != kNoHandle) {
      EXPECT_EQ(index.state(handle).value, i);
      EXPECT_EQ(index.key(handle), key);
    }
  }
}

TEST(KeyIndex, EntriesDoNotMove) {
  KeyIndex<std::string, State> index(7);
  const Handle first = index.insert("first", index.hash("first"));
  const auto* entry = &index.entry(first);
  for (int i = 0; i < 10'000; ++i) {
    const std::string key = std::to_string(i);
    index.insert(key, index.hash(key));
  }
  EXPECT_EQ(entry, &index.entry(first));
  EXPECT_EQ(index.key(first), "first");
}

// Otherwise what is kept for each block would grow with every burst beside a key that stays.
TEST(KeyIndex, BurstsBesideAKeyThatStaysUseTheSameHandles) {
  KeyIndex<int, State> index(7);
  index.insert(-1, index.hash(-1));
  for (int burst = 0; burst < 50; ++burst) {
    for (int i = 0; i < 2000; ++i) EXPECT_LT(index.insert(i, index.hash(i)), 4000U);
    for (int i = 0; i < 2000; ++i) index.erase(lookup<int>(index, i));
  }
}

TEST(KeyIndex, WorksWithKeysWhoseHashIsTheIdentity) {
  KeyIndex<int, State> index(7);
  for (int i = 0; i < 4096; ++i) index.insert(i * 65536, index.hash(i * 65536));
  for (int i = 0; i < 4096; ++i) EXPECT_NE(lookup<int>(index, i * 65536), kNoHandle);
}

// Regions of blocks and a table on its way from one size to the next: each key is found in
// whichever.
TEST(KeyIndex, FindsEveryKeyWhileItGrowsAndShrinks) {
  constexpr int kKeys = 150'000;
  KeyIndex<int, State> index(7);
  std::vector<Handle> handles;
  for (int i = 0; i < kKeys; ++i) {
    handles.push_back(index.insert(i, index.hash(i)));
    for (const int old : {i, i / 2, i / 3}) {
      ASSERT_EQ(lookup<int>(index, old), handles[static_cast<std::size_t>(old)]);
    }
    ASSERT_EQ(lookup<int>(index, -1 - i), kNoHandle);
  }
  for (int i = 0; i < kKeys; ++i) {
    index.erase(handles[static_cast<std::size_t>(i)]);
    ASSERT_EQ(lookup<int>(index, i), kNoHandle);
    const int later = i + (kKeys - i) / 2;
    if (later == i) continue;
    ASSERT_EQ(lookup<int>(index, later), handles[static_cast<std::size_t>(later)]);
  }
  EXPECT_EQ(index.size(), 0U);
}

RC_GTEST_PROP(KeyIndex, BehavesLikeAMap, (const std::vector<std::pair<bool, std::uint8_t>>& ops)) {
  KeyIndex<std::string, State> index(7);
  std::map<std::string, int> model;
  int next = 0;
  for (const auto& [erase, number] : ops) {
    const std::string key(number % 40, static_cast<char>('a' + number % 3));
    const Handle handle = lookup<std::string>(index, key);
    RC_ASSERT((handle != kNoHandle) == model.contains(key));
    if (handle != kNoHandle) RC_ASSERT(index.state(handle).value == model[key]);
    if (erase && handle != kNoHandle) {
      index.erase(handle);
      model.erase(key);
    } else if (handle == kNoHandle) {
      index.state(index.insert(key, index.hash(key))).value = next;
      model[key] = next++;
    }
    RC_ASSERT(index.size() == model.size());
  }
}

}  // namespace
}  // namespace windlass::workqueue::detail

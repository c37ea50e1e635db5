#include "lru_map.h"

#include <gtest/gtest.h>

#include <string>

namespace windlass::registry {
namespace {

TEST(LruMap, DropsWhatWasUsedLongestAgo) {
  LruMap<std::string, int> map(2);
  map["a"] = 1;
  map["b"] = 2;
  EXPECT_EQ(*map.find("a"), 1);
  map["c"] = 3;
  EXPECT_EQ(map.size(), 2U);
  EXPECT_EQ(map.find("b"), nullptr);
  EXPECT_EQ(*map.find("a"), 1);
  EXPECT_EQ(*map.find("c"), 3);
}

TEST(LruMap, EraseAndInsertAgain) {
  LruMap<int, int> map(8);
  for (int i = 0; i < 100; ++i) map[i] = i;
  map.erase(99);
  map.erase(5);
  EXPECT_EQ(map.size(), 7U);
  EXPECT_EQ(map[99], 0);
}

}  // namespace
}  // namespace windlass::registry

#include "windlass/workqueue/detail/compact_string.h"

#include <gtest/gtest.h>

#include <string>

namespace windlass::workqueue::detail {
namespace {

TEST(CompactString, KeepsTextOfEveryLength) {
  for (std::size_t size = 0; size < 100; ++size) {
    const std::string text(size, static_cast<char>('a' + size % 26));
    const CompactString compact(text);
    EXPECT_EQ(compact.view(), text);
  }
}

TEST(CompactString, KeepsZeroBytes) {
  const std::string text("a\0b", 3);
  EXPECT_EQ(CompactString(text).view(), text);
}

TEST(CompactString, FitsThreeWords) { EXPECT_EQ(sizeof(CompactString), 24U); }

}  // namespace
}  // namespace windlass::workqueue::detail

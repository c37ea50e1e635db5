#include "windlass/workqueue/detail/compact_string.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

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

TEST(CompactString, TakesTheTextOfAnother) {
  for (const std::size_t size : {5U, 50U}) {
    const std::string text(size, 'a');
    CompactString from(text);
    const CompactString to(std::move(from));
    EXPECT_EQ(to.view(), text);
  }
}

TEST(CompactString, UsesItsMemoryAgainWhereItIsEnough) {
  CompactString compact(std::string(40, 'a'));
  const char* const memory = compact.view().data();
  for (const std::size_t size : {30U, 40U, 0U, 39U}) {
    compact.reuse_for(std::string(size, 'b'));
    EXPECT_EQ(compact.view(), std::string(size, 'b'));
    EXPECT_EQ(compact.view().data(), memory);
  }
  compact.reuse_for(std::string(100, 'c'));
  EXPECT_EQ(compact.view(), std::string(100, 'c'));
}

TEST(CompactString, FitsThreeWords) { EXPECT_EQ(sizeof(CompactString), 24U); }

}  // namespace
}  // namespace windlass::workqueue::detail

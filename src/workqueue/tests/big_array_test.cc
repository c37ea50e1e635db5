#include "windlass/workqueue/detail/big_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace windlass::workqueue::detail {
namespace {

TEST(BigArray, KeepsWhatItHoldsAndIsZeroBeyondThroughEverySize) {
  // From the heap to the system's pages and back, within each, and to the same.
  BigArray<std::uint64_t> array;
  std::size_t written = 0;
  for (const std::size_t size :
       {64U, 100U, 600'000U, 300'000U, 262'144U, 900'000U, 900'000U, 1000U, 0U, 64U}) {
    const std::size_t kept = std::min(array.size(), size);
    array.resize(size);
    ASSERT_EQ(array.size(), size);
    for (std::size_t i = 0; i < kept; ++i) ASSERT_EQ(array[i], written + i) << size;
    for (std::size_t i = kept; i < size; ++i) ASSERT_EQ(array[i], 0U) << size;
    ++written;
    for (std::size_t i = 0; i < size; ++i) array[i] = written + i;
  }
}

TEST(BigArray, ShrinkingInsideItsLastPageLeavesZeroesForTheNextGrowth) {
  BigArray<std::uint64_t> array(300'000);
  for (std::size_t i = 0; i < array.size(); ++i) array[i] = 1;
  array.resize(270'000);
  array.resize(300'000);
  for (std::size_t i = 270'000; i < array.size(); ++i) ASSERT_EQ(array[i], 0U);
}

TEST(BigArray, MovesByHandingOverItsMemory) {
  BigArray<int> from(1'000'000);
  from[999'999] = 7;
  const int* const where = &from[0];
  BigArray<int> to = std::move(from);
  EXPECT_EQ(&to[0], where);
  EXPECT_EQ(to[999'999], 7);
  EXPECT_EQ(from.size(), 0U);  // NOLINT(bugprone-use-after-move): that is what it says
  to = {};
  EXPECT_EQ(to.size(), 0U);
}

}  // namespace
}  // namespace windlass::workqueue::detail

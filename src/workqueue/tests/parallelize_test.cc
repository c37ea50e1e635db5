#include "windlass/workqueue/parallelize.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace windlass::workqueue {
namespace {

TEST(ParallelizeUntil, NoWorkersIsAnErrorAndNothingRuns) {
  for (const int workers : {0, -1}) {
    int calls = 0;
    const auto result = parallelize_until({}, workers, 5, [&](std::size_t) { ++calls; });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(calls, 0);
  }
}

TEST(ParallelizeUntil, NoPiecesIsFine) {
  EXPECT_TRUE(parallelize_until({}, 3, 0, [](std::size_t) { FAIL(); }));
}

TEST(ParallelizeUntil, AChunkOfZeroOrOfTheLargestSizeWorks) {
  for (const std::size_t chunk : {std::size_t{0}, SIZE_MAX}) {
    std::atomic<int> calls = 0;
    EXPECT_TRUE(parallelize_until({}, 4, 10, [&](std::size_t) { ++calls; }, {.chunk_size = chunk}));
    EXPECT_EQ(calls, 10);
  }
}

TEST(ParallelizeUntil, AStopKeepsThePiecesLeftFromBeginning) {
  std::stop_source stop;
  std::vector<std::size_t> begun;
  const auto result = parallelize_until(stop.get_token(), 1, 10, [&](std::size_t i) {
    begun.push_back(i);
    if (i == 3) stop.request_stop();
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(begun, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(ParallelizeUntil, AnExceptionStopsTheRestAndComesOut) {
  std::atomic<int> calls = 0;
  const auto run = [&] {
    return parallelize_until({}, 1, 10, [&](std::size_t i) {
      ++calls;
      if (i == 2) throw std::runtime_error("piece 2");
    });
  };
  EXPECT_THROW(static_cast<void>(run()), std::runtime_error);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace windlass::workqueue

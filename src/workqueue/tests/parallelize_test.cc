#include "windlass/workqueue/parallelize.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace windlass::workqueue {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WINDLASS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WINDLASS_SANITIZED 1
#endif
#endif

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

// Leaves room for a few stacks of threads.
[[maybe_unused]] void limit_address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t most = pages * 4096 + (40U << 20U);
  const rlimit limit{.rlim_cur = most, .rlim_max = most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::abort();
}

TEST(ParallelizeUntilDeathTest, GoesOnWithFewerThreadsWhereNoMoreCanBeHad) {
#if defined(WINDLASS_SANITIZED)
  GTEST_SKIP() << "a sanitizer takes address space of its own";
#else
  const auto run = [] {
    limit_address_space();
    std::atomic<int> calls = 0;
    const auto result = parallelize_until({}, 500, 500, [&](std::size_t) { ++calls; });
    std::_Exit(result && calls == 500 ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
#endif
}

}  // namespace
}  // namespace windlass::workqueue

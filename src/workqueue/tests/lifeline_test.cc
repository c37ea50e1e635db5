#include "windlass/workqueue/detail/lifeline.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace windlass::workqueue::detail {
namespace {

TEST(Lifeline, RunsCallsUntilItIsCut) {
  std::optional<Lifeline> line(std::in_place);
  const auto holder = line->holder();
  int calls = 0;
  holder.run([&] { ++calls; });
  line->cut();
  holder.run([&] { ++calls; });
  line.reset();
  holder.run([&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

// Goal: what a call uses may go as soon as the line is cut. Method: calls that write to it, which
// ThreadSanitizer would see at once with the write that follows the cut.
TEST(Lifeline, NoCallRunsOnceItIsCut) {
  for (int round = 0; round < 100; ++round) {
    Lifeline line;
    long used = 0;
    std::atomic<int> begun = 0;
    {
      const std::jthread caller([&, holder = line.holder()] {
        for (int i = 0; i < 100; ++i) {
          ++begun;
          holder.run([&] { ++used; });
        }
      });
      while (begun < 10) std::this_thread::yield();
      line.cut();
      used = -1;
    }
    EXPECT_EQ(used, -1);
  }
}

}  // namespace
}  // namespace windlass::workqueue::detail

#include "windlass/workqueue/detail/delay_heap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace windlass::workqueue::detail {
namespace {

struct Arrivals {
  std::map<Handle, std::uint32_t>* of;
  std::uint32_t& operator()(Handle handle) { return (*of)[handle]; }
};

TEST(DelayHeap, EqualTimesComeInTheOrderOfArrival) {
  std::map<Handle, std::uint32_t> arrivals;
  DelayHeap heap;
  for (Handle h = 50; h > 0; --h) heap.push(TimePoint{}, h, Arrivals{&arrivals});
  for (Handle h = 50; h > 0; --h) {
    EXPECT_EQ(heap.top(), h);
    heap.erase(h, Arrivals{&arrivals});
  }
}

// The last entry takes the place of one that goes, and may be due before that one's parent.
TEST(DelayHeap, StaysInOrderWhenOneGoesFromALaterBranch) {
  std::map<Handle, std::uint32_t> arrivals;
  DelayHeap heap;
  Handle handle = 0;
  for (const int due : {1, 100, 2, 2, 2, 101, 101, 101, 101, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}) {
    heap.push(TimePoint(Duration(due)), handle++, Arrivals{&arrivals});
  }
  heap.erase(5, Arrivals{&arrivals});
  TimePoint last{};
  while (!heap.empty()) {
    EXPECT_GE(heap.next_due(), last);
    last = heap.next_due();
    heap.erase(heap.top(), Arrivals{&arrivals});
  }
}

TEST(DelayHeap, IsDueNeverWhenEmpty) { EXPECT_EQ(DelayHeap{}.next_due(), TimePoint::max()); }

// Random pushes and erasures against a list of what is held, in the order of arrival.
RC_GTEST_PROP(DelayHeap, TopIsTheEarliestOfThoseHeld,
              (const std::vector<std::pair<bool, int>>& ops)) {
  std::map<Handle, std::uint32_t> arrivals;
  DelayHeap heap;
  std::vector<std::pair<int, Handle>> held;
  Handle next = 1000;  // falls, so that handles and arrivals disagree
  for (const auto& [erase, number] : ops) {
    if (erase && !held.empty()) {
      const auto victim = static_cast<std::size_t>(number & 0xFFFF) % held.size();
      heap.erase(held[victim].second, Arrivals{&arrivals});
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(victim));
    } else {
      const int due = number % 7;
      heap.push(TimePoint(Duration(due)), next, Arrivals{&arrivals});
      held.emplace_back(due, next--);
    }
    RC_ASSERT(heap.size() == held.size());
    if (held.empty()) continue;
    const auto first = std::ranges::min_element(held, {}, &std::pair<int, Handle>::first);
    RC_ASSERT(heap.top() == first->second);
    for (const auto& [due, handle] : held) {
      RC_ASSERT(heap.due_of(handle) == TimePoint(Duration(due)));
    }
  }
}

}  // namespace
}  // namespace windlass::workqueue::detail

#include "windlass/workqueue/detail/delay_heap.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace windlass::workqueue::detail {
namespace {

struct Positions {
  std::map<Handle, std::uint32_t>* at;
  std::uint32_t& operator()(Handle handle) { return (*at)[handle]; }
};

TEST(DelayHeap, EqualTimesComeInTheOrderOfArrival) {
  std::map<Handle, std::uint32_t> at;
  DelayHeap heap;
  for (Handle h = 0; h < 50; ++h) heap.push(TimePoint{}, h, Positions{&at});
  for (Handle h = 0; h < 50; ++h) {
    EXPECT_EQ(heap.top(), h);
    heap.erase(0, Positions{&at});
  }
}

TEST(DelayHeap, IsDueNeverWhenEmpty) { EXPECT_EQ(DelayHeap{}.next_due(), TimePoint::max()); }

// Random pushes and erasures against a sorted list of what is held.
RC_GTEST_PROP(DelayHeap, TopIsTheEarliestOfThoseHeld,
              (const std::vector<std::pair<bool, int>>& ops)) {
  std::map<Handle, std::uint32_t> at;
  DelayHeap heap;
  std::vector<std::tuple<int, Handle>> held;  // handles rise with arrival
  Handle next = 0;
  for (const auto& [erase, number] : ops) {
    if (erase && !held.empty()) {
      const auto victim = static_cast<std::size_t>(number & 0xFFFF) % held.size();
      heap.erase(at.at(std::get<1>(held[victim])), Positions{&at});
      RC_ASSERT(at.at(std::get<1>(held[victim])) == kNotInHeap);
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(victim));
    } else {
      const int due = number % 7;
      heap.push(TimePoint(Duration(due)), next, Positions{&at});
      held.emplace_back(due, next++);
    }
    RC_ASSERT(heap.size() == held.size());
    if (!held.empty())
      RC_ASSERT(heap.top() == std::get<1>(*std::min_element(held.begin(), held.end())));
    for (const auto& [due, handle] : held) {
      RC_ASSERT(heap.handle_at(at.at(handle)) == handle);
      RC_ASSERT(heap.due_at(at.at(handle)) == TimePoint(Duration(due)));
    }
  }
}

}  // namespace
}  // namespace windlass::workqueue::detail

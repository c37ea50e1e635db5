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

TEST(DelayHeap, IsDueNeverWhenEmpty) { EXPECT_EQ(DelayHeap{}.next_due(), TimePoint::max()); }

// Random pushes and erasures against a list of what is held, in the order of arrival. Fewer
// erasures, so that the heap gets deep enough for an entry to move to another branch.
RC_GTEST_PROP(DelayHeap, TopIsTheEarliestOfThoseHeld, ()) {
  using Ops = std::vector<std::pair<bool, int>>;
  const auto ops = *rc::gen::resize(500, rc::gen::arbitrary<Ops>());
  std::map<Handle, std::uint32_t> arrivals;
  DelayHeap heap;
  std::vector<std::pair<int, Handle>> held;
  Handle next = 1000;  // falls, so that handles and arrivals disagree
  for (const auto& [erase, number] : ops) {
    if (erase && number % 3 != 0 && !held.empty()) {
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

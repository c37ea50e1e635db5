#include "windlass/workqueue/detail/ready_levels.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "windlass/workqueue/detail/key_state.h"

namespace windlass::workqueue::detail {
namespace {

using namespace std::chrono_literals;

class Levels {
 public:
  explicit Levels(std::size_t handles, Duration age_after = 0s)
      : states_(handles), levels_(age_after) {}

  void push(std::size_t handle, std::int32_t priority, TimePoint added = {}) {
    states_[handle].priority = priority;
    states_[handle].added = added;
    levels_.push(static_cast<Handle>(handle), lookup());
  }
  std::size_t pop(TimePoint now = {}) { return levels_.pop(now, lookup()); }
  void erase(std::size_t handle) { levels_.erase(static_cast<Handle>(handle), lookup()); }
  std::size_t size() const { return levels_.size(); }
  Handle peek() const { return levels_.peek(); }
  std::size_t looks() const { return looks_; }

 private:
  struct Lookup {
    Levels* levels;
    KeyState& operator()(Handle handle) const {
      ++levels->looks_;
      return levels->states_[handle];
    }
  };
  Lookup lookup() { return {this}; }

  std::vector<KeyState> states_;
  ReadyLevels levels_;
  std::size_t looks_ = 0;
};

RC_GTEST_PROP(ReadyLevels, HighestFirstAndOldestOfThose,
              (const std::vector<std::pair<std::uint8_t, std::int8_t>>& steps)) {
  struct Waiting {
    std::size_t handle;
    std::int32_t priority;
  };
  Levels levels(steps.size());
  std::vector<Waiting> model;
  std::size_t next = 0;
  for (const auto& [what, priority] : steps) {
    if (what % 4 < 2 || model.empty()) {
      levels.push(next, priority % 20);
      model.push_back({next++, priority % 20});
    } else if (what % 4 == 2) {
      const auto first = std::ranges::max_element(model, {}, &Waiting::priority);
      RC_ASSERT(levels.peek() == first->handle);
      RC_ASSERT(levels.pop() == first->handle);
      model.erase(first);
    } else {
      const auto which = model.begin() + what % static_cast<std::ptrdiff_t>(model.size());
      levels.erase(which->handle);
      model.erase(which);
    }
    RC_ASSERT(levels.size() == model.size());
  }
}

// Counted, not timed: how many keys are looked at.
TEST(ReadyLevels, ATakeLooksAtFewKeysHoweverManyLevelsThereAre) {
  constexpr std::size_t kLevels = 10'000;
  Levels levels(kLevels, 1s);
  for (std::size_t i = 0; i < kLevels; ++i) levels.push(i, static_cast<std::int32_t>(i));
  const std::size_t before = levels.looks();
  for (std::size_t i = 0; i < kLevels; ++i) EXPECT_EQ(levels.pop(), kLevels - 1 - i);
  EXPECT_LE(levels.looks() - before, 30 * kLevels);
}

TEST(ReadyLevels, WhatHasAgedIsFoundAmongManyLevels) {
  constexpr std::size_t kLevels = 1000;
  Levels levels(2 * kLevels + 1, 1s);
  const TimePoint later = TimePoint{} + 1h;
  levels.push(0, -5, TimePoint{});
  for (std::size_t i = 1; i <= kLevels; ++i) levels.push(i, static_cast<std::int32_t>(i), later);
  std::size_t pops = 1;
  std::size_t fresh = kLevels;
  while (levels.pop(later) != 0) {
    ++fresh;
    ++pops;
    levels.push(fresh % kLevels + kLevels, 2000, later);
  }
  EXPECT_LE(pops, kLevels / 4);
}

TEST(ReadyLevels, OfFewLevelsTheOneThatHasWaitedLongestIsLetPastEverySecondTime) {
  Levels levels(10, 1s);
  const TimePoint now = TimePoint{} + 10s;
  levels.push(0, 9, now);
  levels.push(1, 9, now);
  levels.push(2, 5, TimePoint{} + 3s);
  levels.push(3, 1, TimePoint{} + 2s);
  std::vector<std::size_t> order;
  while (levels.size() > 0) order.push_back(levels.pop(now));
  EXPECT_EQ(order, (std::vector<std::size_t>{3, 0, 2, 1}));
}

}  // namespace
}  // namespace windlass::workqueue::detail

#include "connection_budget.h"

#include <gtest/gtest.h>

namespace windlass::http {
namespace {

TEST(ConnectionBudget, KeepsHalfForFirstConnections) {
  ConnectionBudget budget(8);
  // One host takes what it gets.
  std::size_t greedy = 0;
  while (budget.allows(greedy)) {
    budget.change(greedy, greedy + 1);
    ++greedy;
  }
  EXPECT_EQ(greedy, 5U);  // its first, and half of all
  // Three others still get one each, and none a second.
  for (int other = 0; other < 3; ++other) {
    ASSERT_TRUE(budget.allows(0)) << other;
    budget.change(0, 1);
    EXPECT_FALSE(budget.allows(1)) << other;
  }
  EXPECT_FALSE(budget.allows(0));
  // What is given back may be taken by anybody.
  budget.change(1, 0);
  EXPECT_TRUE(budget.allows(0));
  budget.change(greedy, greedy - 1);
  EXPECT_TRUE(budget.allows(1));
}

TEST(ConnectionBudget, OneConnectionIsEnoughForWhoeverComesFirst) {
  ConnectionBudget budget(1);
  EXPECT_TRUE(budget.allows(0));
  budget.change(0, 1);
  EXPECT_FALSE(budget.allows(0));
  EXPECT_FALSE(budget.allows(1));
}

}  // namespace
}  // namespace windlass::http

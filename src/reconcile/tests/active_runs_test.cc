#include "active_runs.h"

#include <gtest/gtest.h>

namespace windlass::reconcile {
namespace {

using std::chrono::seconds;
using Keys = std::vector<std::string>;

constexpr TimePoint kStart = TimePoint{} + std::chrono::hours(1);
constexpr TimePoint kForEver = TimePoint::max();

TEST(ActiveRuns, FindsARunUntilItHasEnded) {
  ActiveRuns runs;
  EXPECT_EQ(runs.find("a"), nullptr);
  ActiveRun a("a");
  ActiveRun b("b");
  runs.begin(a, kForEver);
  runs.begin(b, kForEver);
  EXPECT_EQ(runs.find("a"), &a);
  EXPECT_EQ(runs.find("b"), &b);
  EXPECT_EQ(runs.find("c"), nullptr);
  runs.end(a);
  EXPECT_EQ(runs.find("a"), nullptr);
}

TEST(ActiveRuns, KeysAreThoseThatHaveNotEndedInWhateverOrderTheyEnd) {
  const std::vector<std::vector<int>> orders = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}};
  for (const std::vector<int>& order : orders) {
    ActiveRuns runs;
    ActiveRun run[] = {ActiveRun("c"), ActiveRun("a"), ActiveRun("b")};
    for (ActiveRun& each : run) runs.begin(each, kForEver);
    EXPECT_EQ(runs.keys(), (Keys{"a", "b", "c"}));
    runs.end(run[order[0]]);
    EXPECT_EQ(runs.size(), 2U);
    runs.end(run[order[1]]);
    EXPECT_EQ(runs.keys(), Keys{run[order[2]].key});
    runs.end(run[order[2]]);
    EXPECT_EQ(runs.size(), 0U);
  }
}

TEST(ActiveRuns, ExpiresEachRunOnceAtItsDeadline) {
  ActiveRuns runs;
  ActiveRun early("early");
  ActiveRun late("late");
  const std::stop_token early_stop = runs.begin(early, kStart + seconds(2));
  const std::stop_token late_stop = runs.begin(late, kStart + seconds(5));
  EXPECT_EQ(runs.next_deadline(), kStart + seconds(2));
  EXPECT_TRUE(runs.expire(kStart).empty());
  std::vector<std::stop_source> expired = runs.expire(kStart + seconds(2));
  ASSERT_EQ(expired.size(), 1U);
  expired[0].request_stop();
  EXPECT_TRUE(early_stop.stop_requested());
  EXPECT_FALSE(late_stop.stop_requested());
  EXPECT_TRUE(runs.expire(kStart + seconds(2)).empty());
  EXPECT_EQ(runs.next_deadline(), kStart + seconds(5));
  EXPECT_EQ(runs.keys(), (Keys{"early", "late"}));
}

TEST(ActiveRuns, AnEndedRunHasNoDeadlineAnyMore) {
  ActiveRuns runs;
  ActiveRun first("a");
  ActiveRun second("b");
  runs.begin(first, kStart);
  runs.begin(second, kStart + seconds(1));
  runs.end(first);
  EXPECT_EQ(runs.next_deadline(), kStart + seconds(1));
  runs.end(second);
  EXPECT_EQ(runs.next_deadline(), kForEver);
  EXPECT_TRUE(runs.expire(kStart + seconds(9)).empty());
}

TEST(ActiveRuns, ADeadlineIsNeverBeforeThatOfAnOlderRun) {
  ActiveRuns runs;
  ActiveRun older("a");
  ActiveRun newer("b");
  runs.begin(older, kStart + Duration(5));
  runs.begin(newer, kStart + Duration(2));
  EXPECT_EQ(newer.deadline, kStart + Duration(5));
  EXPECT_EQ(runs.expire(kStart + Duration(5)).size(), 2U);
}

TEST(ActiveRuns, StopAllMeansThoseThatBeginAfterwardsToo) {
  for (const TimePoint deadline : {kStart, kForEver}) {
    ActiveRuns runs;
    ActiveRun before("a");
    ActiveRun after("b");
    ActiveRun next_time("c");
    const std::stop_token stop = runs.begin(before, deadline);
    for (std::stop_source& run : runs.stop_all()) run.request_stop();
    EXPECT_TRUE(stop.stop_requested());
    EXPECT_TRUE(runs.begin(after, deadline).stop_requested());
    EXPECT_EQ(runs.next_deadline(), kForEver);
    runs.start_over();
    EXPECT_FALSE(runs.begin(next_time, deadline).stop_requested());
    EXPECT_EQ(runs.next_deadline(), deadline);
    EXPECT_TRUE(stop.stop_requested());
    EXPECT_EQ(runs.keys(), (Keys{"a", "b", "c"}));
  }
}

}  // namespace
}  // namespace windlass::reconcile

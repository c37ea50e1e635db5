#include "windlass/workqueue/queue_stats.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <set>
#include <string>

namespace windlass::workqueue {
namespace {

using namespace std::chrono_literals;

TEST(DurationHistogram, BoundsAreDecadesFrom10NanosecondsTo1000Seconds) {
  EXPECT_EQ(DurationHistogram::bound(0), 10ns);
  EXPECT_EQ(DurationHistogram::bound(DurationHistogram::kBounds - 1), 1000s);
}

RC_GTEST_PROP(DurationHistogram, PutsADurationBelowTheFirstBoundThatHoldsIt, ()) {
  const auto digits = *rc::gen::inRange(0, 63);
  const auto value =
      *rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max() >> (62 - digits));
  DurationHistogram histogram;
  histogram.observe(Duration(value));
  std::size_t expected = 0;
  while (expected < DurationHistogram::kBounds &&
         DurationHistogram::bound(expected).count() < value) {
    ++expected;
  }
  RC_ASSERT(histogram.buckets[expected] == 1U);
  RC_ASSERT(histogram.count() == 1U);
  RC_ASSERT(histogram.sum == Duration(value));
}

TEST(DurationHistogram, ExactBoundsFallIntoTheirBucket) {
  for (std::size_t i = 0; i < DurationHistogram::kBounds; ++i) {
    DurationHistogram histogram;
    histogram.observe(DurationHistogram::bound(i));
    histogram.observe(DurationHistogram::bound(i) + 1ns);
    EXPECT_EQ(histogram.buckets[i], 1U) << i;
    EXPECT_EQ(histogram.buckets[i + 1], 1U) << i;
  }
}

TEST(DurationHistogram, ANegativeDurationCountsAsNone) {
  DurationHistogram histogram;
  histogram.observe(-5s);
  EXPECT_EQ(histogram.buckets[0], 1U);
  EXPECT_EQ(histogram.sum, 0s);
}

TEST(DurationHistogram, TheSumSaturates) {
  DurationHistogram histogram;
  for (int i = 0; i < 3; ++i) histogram.observe(Duration::max());
  EXPECT_EQ(histogram.sum, Duration::max());
}

TEST(QueueMetrics, CarryClientGosNamesAndUnits) {
  QueueStats stats;
  stats.ready = 3;
  stats.rerun = 1;
  stats.unfinished_work = 1500ms;
  stats.retries = 7;
  std::set<std::string> names;
  for (const QueueMetric& metric : queue_metrics(stats)) {
    names.emplace(metric.name);
    if (metric.name == "workqueue_depth") {
      EXPECT_EQ(std::get<double>(metric.value), 4);
    }
    if (metric.name == "workqueue_unfinished_work_seconds") {
      EXPECT_EQ(std::get<double>(metric.value), 1.5);
    }
    if (metric.name == "workqueue_retries_total") {
      EXPECT_EQ(std::get<double>(metric.value), 7);
    }
  }
  for (const char* name :
       {"workqueue_depth", "workqueue_adds_total", "workqueue_queue_duration_seconds",
        "workqueue_work_duration_seconds", "workqueue_unfinished_work_seconds",
        "workqueue_longest_running_processor_seconds", "workqueue_retries_total",
        "workqueue_delayed", "workqueue_running", "workqueue_dropped_total"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

}  // namespace
}  // namespace windlass::workqueue

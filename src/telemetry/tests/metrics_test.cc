#include "windlass/telemetry/metrics.h"

#include <gtest/gtest.h>

#include <latch>
#include <thread>

#include "windlass/telemetry/testing/metric_values.h"

namespace windlass::telemetry {
namespace {

TEST(Metrics, TheSameLabelsAreTheSameSeries) {
  Metrics metrics;
  metrics.counter("runs_total", "Runs.", {{"queue", "pods"}}).add();
  metrics.counter("runs_total", "Runs.", {{"queue", "pods"}}).add(2);
  metrics.counter("runs_total", "Runs.", {{"queue", "nodes"}}).add();
  EXPECT_EQ(metric_value(metrics, "runs_total", {{"queue", "pods"}}), 3);
  EXPECT_EQ(metric_value(metrics, "runs_total", {{"queue", "nodes"}}), 1);
  EXPECT_EQ(metric_value(metrics, "runs_total", {{"queue", "jobs"}}), std::nullopt);
}

TEST(Metrics, LabelsInAnotherOrderAndBytesThatAreNoTextMakeNoOtherSeries) {
  Metrics metrics;
  for (const Labels& labels :
       {Labels{{"a", "1"}, {"b", "\xfe"}}, Labels{{"b", "\xff"}, {"a", "1"}}}) {
    metrics.counter("runs_total", "Runs.", labels).add();
    metrics.gauge("g", "G.", labels).set(3);
  }
  const auto registration = metrics.on_collect([](MetricWriter& writer) {
    writer.gauge("w", "W.", {{"a", "1"}, {"b", "2"}}, 1);
    writer.gauge("w", "W.", {{"b", "2"}, {"a", "1"}}, 1);
  });
  const Labels both = {{"a", "1"}, {"b", "\uFFFD"}};
  EXPECT_EQ(metrics.collect(),
            (std::vector<MetricFamily>{
                {"g", "G.", MetricKind::kGauge, {{both, 3.0}}},
                {"runs_total", "Runs.", MetricKind::kCounter, {{both, 2.0}}},
                {"w", "W.", MetricKind::kGauge, {{{{"a", "1"}, {"b", "2"}}, 2.0}}}}));
}

TEST(Metrics, GaugesGoBothWays) {
  Metrics metrics;
  const Gauge gauge = metrics.gauge("workers", "Workers.");
  gauge.set(5);
  gauge.add(-2);
  EXPECT_EQ(metric_value(metrics, "workers"), 3);
}

TEST(Metrics, AHistogramsBoundsAreInclusive) {
  Metrics metrics;
  const double bounds[] = {0.1, 1};
  const Histogram histogram = metrics.histogram("run_seconds", "Runs.", bounds);
  histogram.observe(0.1);
  histogram.observe(std::chrono::milliseconds(500));
  histogram.observe(1.5);
  EXPECT_EQ(histogram_value(metrics, "run_seconds"), (HistogramValue{{0.1, 1}, {1, 1, 1}, 2.1}));
  EXPECT_EQ(observations(metrics, "run_seconds"), 3U);
}

TEST(Metrics, FamiliesAreSortedAndCallbacksTakePart) {
  Metrics metrics;
  metrics.counter("b_total", "B.").add();
  const auto registration = metrics.on_collect([](MetricWriter& writer) {
    writer.gauge("a", "A.", {{"queue", "pods"}}, 7);
    writer.gauge("a", "A.", {{"queue", "pods"}}, 1);
    writer.histogram("c", "C.", {}, {{1}, {2, 3}, 4});
  });
  EXPECT_EQ(metrics.collect(),
            (std::vector<MetricFamily>{
                {"a", "A.", MetricKind::kGauge, {{{{"queue", "pods"}}, 8.0}}},
                {"b_total", "B.", MetricKind::kCounter, {{{}, 1.0}}},
                {"c", "C.", MetricKind::kHistogram, {{{}, HistogramValue{{1}, {2, 3}, 4}}}}}));
}

TEST(Metrics, SeriesBeyondTheBoundAreCountedTogether) {
  Metrics metrics({.series_per_metric_max = 2});
  for (int i = 0; i < 10; ++i)
    metrics.counter("runs_total", "Runs.", {{"key", std::to_string(i)}}).add();
  const auto registration = metrics.on_collect([](MetricWriter& writer) {
    for (int i = 0; i < 10; ++i) writer.gauge("g", "G.", {{"key", std::to_string(i)}}, 1);
  });
  EXPECT_EQ(metric_value(metrics, "runs_total", {{"key", "1"}}), 1);
  for (const char* name : {"runs_total", "g"})
    EXPECT_EQ(metric_value(metrics, name, {{"key", "(other)"}}), 8) << name;
  for (const MetricFamily& family : metrics.collect()) EXPECT_EQ(family.series.size(), 3U);
}

TEST(Metrics, ACallbackIsNotCalledAfterItsRegistrationIsGone) {
  Metrics metrics;
  int calls = 0;
  {
    const auto registration = metrics.on_collect([&](MetricWriter&) { ++calls; });
    metrics.collect();
  }
  metrics.collect();
  EXPECT_EQ(calls, 1);
}

TEST(Metrics, EndingARegistrationWaitsForTheCallThatGoesOn) {
  Metrics metrics;
  std::latch inside(1);
  std::latch leave(1);
  std::atomic<bool> left = false;
  auto registration = metrics.on_collect([&](MetricWriter&) {
    inside.count_down();
    leave.wait();
    left = true;
  });
  std::jthread reader([&] { metrics.collect(); });
  inside.wait();
  std::jthread releaser([&] { leave.count_down(); });
  registration.reset();
  EXPECT_TRUE(left);
}

TEST(Metrics, HandlesAndRegistrationsMayOutliveIt) {
  Counter counter;
  Metrics::Registration registration;
  {
    Metrics metrics;
    counter = metrics.counter("runs_total", "Runs.");
    registration = metrics.on_collect([](MetricWriter&) {});
  }
  counter.add();
}

TEST(Metrics, CountsFromManyThreadsWhileReadAddUp) {
  Metrics metrics;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 1000; ++n) {
          metrics.counter("runs_total", "Runs.").add();
          metrics.histogram("run_seconds", "Runs.", default_seconds_buckets()).observe(1.0);
        }
      });
    }
    for (int i = 0; i < 10; ++i) metrics.collect();
  }
  EXPECT_EQ(metric_value(metrics, "runs_total"), 4000);
  EXPECT_EQ(observations(metrics, "run_seconds"), 4000U);
}

TEST(Metrics, NullMetricsCountsNothing) {
  null_metrics().counter("runs_total", "Runs.").add();
  const auto registration =
      null_metrics().on_collect([](MetricWriter&) { FAIL() << "nobody should ask"; });
  EXPECT_TRUE(null_metrics().collect().empty());
}

TEST(MetricsDeathTest, AMistakeInANameAborts) {
  Metrics metrics;
  metrics.counter("runs_total", "Runs.");
  EXPECT_DEATH(metrics.gauge("runs_total", "Runs."), "kind");
  EXPECT_DEATH(metrics.counter("runs-total", "Runs."), "is_metric_name");
  EXPECT_DEATH(metrics.counter("x_total", "X.", {{"le", "1"}}), "is_label_name");
  MetricWriter writer(10);
  EXPECT_DEATH(writer.gauge("x", "X.", {{"a", "1"}, {"a", "2"}}, 1), "good_labels");
}

}  // namespace
}  // namespace windlass::telemetry

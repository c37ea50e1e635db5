#include "windlass/telemetry_export/prometheus_text.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <sstream>

#include "windlass/base/testing/temporary_folder.h"
#include "windlass/telemetry_export/own_metrics.h"
#include "windlass/workqueue/queue_stats.h"

namespace windlass::telemetry_export {
namespace {

using telemetry::Metrics;

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::size_t files_in(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder.root()), {}));
}

// Names as the queue and the controller give them, with labels and values that need care.
void fill(Metrics& metrics) {
  const std::string nasty = "a\"b\\c\nd\xff";
  metrics.counter("reconcile_total", "Runs by outcome.", {{"queue", nasty}, {"outcome", "error"}})
      .add(3);
  metrics.gauge("keys_depth", "Keys that \"wait\".\nBackslash \\ too.", {{"name", "pods"}})
      .set(2.5);
  const double bounds[] = {0.005, 1};
  const auto seconds =
      metrics.histogram("reconcile_time_seconds", "Time of runs.", bounds, {{"queue", "pods"}});
  for (const double value : {0.005, 0.5, 7.0}) seconds.observe(value);
}

TEST(PrometheusText, EscapesLabelsAndAddsUpBuckets) {
  Metrics metrics;
  fill(metrics);
  EXPECT_EQ(prometheus_text(metrics.collect()),
            "# HELP keys_depth Keys that \"wait\".\\nBackslash \\\\ too.\n"
            "# TYPE keys_depth gauge\n"
            "keys_depth{name=\"pods\"} 2.5\n"
            "# HELP reconcile_time_seconds Time of runs.\n"
            "# TYPE reconcile_time_seconds histogram\n"
            "reconcile_time_seconds_bucket{queue=\"pods\",le=\"0.005\"} 1\n"
            "reconcile_time_seconds_bucket{queue=\"pods\",le=\"1\"} 2\n"
            "reconcile_time_seconds_bucket{queue=\"pods\",le=\"+Inf\"} 3\n"
            "reconcile_time_seconds_sum{queue=\"pods\"} 7.505\n"
            "reconcile_time_seconds_count{queue=\"pods\"} 3\n"
            "# HELP reconcile_total Runs by outcome.\n"
            "# TYPE reconcile_total counter\n"
            "reconcile_total{outcome=\"error\",queue=\"a\\\"b\\\\c\\nd\uFFFD\"} 3\n");
}

TEST(PrometheusText, WritesNumbersAsPrometheusReadsThem) {
  const std::pair<double, const char*> table[] = {
      {0, "x 0\n"},
      {1e21, "x 1e+21\n"},
      {std::numeric_limits<double>::infinity(), "x +Inf\n"},
      {-std::numeric_limits<double>::infinity(), "x -Inf\n"},
      {std::numeric_limits<double>::quiet_NaN(), "x NaN\n"},
  };
  for (const auto& [value, line] : table) {
    Metrics metrics;
    metrics.gauge("x", "X.").set(value);
    EXPECT_TRUE(prometheus_text(metrics.collect()).ends_with(line)) << line;
  }
}

TEST(PrometheusFile, IsReplacedInOneStepAndReadableForOthers) {
  const TemporaryFolder folder;
  const std::string path = folder.path("windlass.prom");
  Metrics metrics;
  for (const double value : {1.0, 2.0}) {
    metrics.gauge("x", "X.").set(value);
    const auto written = write_prometheus_file(path, metrics);
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_EQ(contents(path), prometheus_text(metrics.collect()));
  }
  EXPECT_EQ(files_in(folder), 1U);
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms{0644});
}

TEST(PrometheusFile, SaysWhatItCannotWriteAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  const auto missing = write_prometheus_file(folder.path("none/x.prom"), Metrics());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  std::filesystem::create_directory(folder.path("folder"));
  EXPECT_FALSE(write_prometheus_file(folder.path("folder"), Metrics()));
  EXPECT_EQ(files_in(folder), 1U);
}

// How a queue's own numbers become metrics; docs/guides/observability.md shows this.
void write_queue_metrics(telemetry::MetricWriter& writer, const std::string& queue,
                         const workqueue::QueueStats& stats) {
  for (const workqueue::QueueMetric& metric : workqueue::queue_metrics(stats)) {
    telemetry::Labels labels = {{"name", queue}};
    if (const auto* const* durations =
            std::get_if<const workqueue::DurationHistogram*>(&metric.value)) {
      telemetry::HistogramValue value;
      for (std::size_t i = 0; i < workqueue::DurationHistogram::kBounds; ++i) {
        const Duration bound = workqueue::DurationHistogram::bound(i);
        value.bounds.push_back(std::chrono::duration<double>(bound).count());
      }
      value.counts.assign((*durations)->buckets.begin(), (*durations)->buckets.end());
      value.sum = std::chrono::duration<double>((*durations)->sum).count();
      writer.histogram(metric.name, metric.help, std::move(labels), std::move(value));
    } else if (metric.kind == workqueue::QueueMetric::Kind::kCounter) {
      writer.counter(metric.name, metric.help, std::move(labels), std::get<double>(metric.value));
    } else {
      writer.gauge(metric.name, metric.help, std::move(labels), std::get<double>(metric.value));
    }
  }
}

// Runs a command and gives its output, ending in its exit status.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), &::pclose);
  std::string output;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr)
    output += buffer.data();
  return output;
}

TEST(PrometheusFile, SatisfiesPromtool) {
  const std::string promtool = WINDLASS_PROMTOOL;
  if (promtool.empty())
    GTEST_SKIP() << "no promtool (Debian's package prometheus) when this was configured";
  const TemporaryFolder folder;
  Metrics metrics;
  fill(metrics);
  const auto others = metrics.on_collect([](telemetry::MetricWriter& writer) {
    workqueue::QueueStats stats{.ready = 3, .adds = 4};
    stats.work_duration.observe(std::chrono::milliseconds(20));
    write_queue_metrics(writer, "pods", stats);
    write_metrics(writer, LogOutput::Stats{});
    write_metrics(writer, SpanBatcher::Stats{});
  });
  ASSERT_TRUE(write_prometheus_file(folder.path("x.prom"), metrics));
  const std::string check = promtool + " check metrics < " + folder.path("x.prom") + " 2>&1";
  EXPECT_EQ(output_of(check + "; echo $?"), "0\n");
  // It does look: a counter without _total is found fault with.
  std::ofstream(folder.path("x.prom")) << "# HELP a A.\n# TYPE a counter\na 1\n";
  EXPECT_NE(output_of(check), "");
}

}  // namespace
}  // namespace windlass::telemetry_export

#include "controller_metrics.h"

#include <cstdint>
#include <tuple>
#include <utility>
#include <variant>

namespace windlass::reconcile {
namespace {

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

telemetry::HistogramValue in_seconds(const workqueue::DurationHistogram& histogram) {
  telemetry::HistogramValue value;
  for (std::size_t bucket = 0; bucket < workqueue::DurationHistogram::kBounds; ++bucket) {
    value.bounds.push_back(seconds(workqueue::DurationHistogram::bound(bucket)));
  }
  value.counts.assign(histogram.buckets.begin(), histogram.buckets.end());
  value.sum = seconds(histogram.sum);
  return value;
}

}  // namespace

void write_reconcile_metrics(telemetry::MetricWriter& writer, const std::string& controller,
                             const Stats& stats) {
  const telemetry::Labels labels = {{"controller", controller}};
  const std::uint64_t errors = stats.retried + stats.given_up + stats.terminal;

  const std::pair<const char*, std::uint64_t> results[] = {
      {"success", stats.done},
      {"requeue", stats.requeued},
      {"requeue_after", stats.requeued_after},
      {"error", errors},
      {"forgotten", stats.forgotten},
  };
  for (const auto& [result, count] : results) {
    writer.counter("reconcile_total", "Handled keys, by what came of it.",
                   {{"controller", controller}, {"result", result}}, static_cast<double>(count));
  }
  const std::tuple<const char*, const char*, std::uint64_t> counters[] = {
      {"reconcile_errors_total", "Runs that failed.", errors},
      {"reconcile_terminal_errors_total", "Runs that failed for good, as the handler said.",
       stats.terminal},
      {"reconcile_given_up_total", "Keys that failed as often as they may.", stats.given_up},
      {"reconcile_panics_total", "Handlers that threw, or let their run go unfinished.",
       stats.threw},
      {"reconcile_timeouts_total", "Runs told to stop, since their time was over.",
       stats.timed_out},
      {"reconcile_refused_total", "Keys not taken in, since the queue was full.", stats.refused},
  };
  for (const auto& [name, help, count] : counters) {
    writer.counter(name, help, labels, static_cast<double>(count));
  }
  writer.gauge("reconcile_active_workers", "Keys being handled now.", labels,
               static_cast<double>(stats.handling_now));
  writer.gauge("reconcile_max_workers", "Keys that may be handled at a time.", labels,
               static_cast<double>(stats.handling_limit));
}

void write_queue_metrics(telemetry::MetricWriter& writer, const std::string& name,
                         const workqueue::QueueStats& stats) {
  using Kind = workqueue::QueueMetric::Kind;
  const telemetry::Labels labels = {{"name", name}};
  for (const workqueue::QueueMetric& metric : workqueue::queue_metrics(stats)) {
    switch (metric.kind) {
      case Kind::kGauge:
        writer.gauge(metric.name, metric.help, labels, std::get<double>(metric.value));
        break;
      case Kind::kCounter:
        writer.counter(metric.name, metric.help, labels, std::get<double>(metric.value));
        break;
      case Kind::kHistogram:
        writer.histogram(metric.name, metric.help, labels,
                         in_seconds(*std::get<const workqueue::DurationHistogram*>(metric.value)));
        break;
    }
  }
}

}  // namespace windlass::reconcile

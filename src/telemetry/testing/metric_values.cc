#include "windlass/telemetry/testing/metric_values.h"

#include <numeric>

namespace windlass::telemetry {
namespace {

std::optional<MetricSeries> series_of(const Metrics& metrics, std::string_view name,
                                      const Labels& labels) {
  for (MetricFamily& family : metrics.collect()) {
    if (family.name != name) continue;
    for (MetricSeries& series : family.series) {
      if (series.labels == canonical(labels)) return std::move(series);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> metric_value(const Metrics& metrics, std::string_view name,
                                   const Labels& labels) {
  const auto series = series_of(metrics, name, labels);
  if (!series || !std::holds_alternative<double>(series->value)) return std::nullopt;
  return std::get<double>(series->value);
}

std::optional<HistogramValue> histogram_value(const Metrics& metrics, std::string_view name,
                                              const Labels& labels) {
  const auto series = series_of(metrics, name, labels);
  if (!series || !std::holds_alternative<HistogramValue>(series->value)) return std::nullopt;
  return std::get<HistogramValue>(series->value);
}

std::uint64_t observations(const Metrics& metrics, std::string_view name, const Labels& labels) {
  const auto value = histogram_value(metrics, name, labels);
  return value ? std::accumulate(value->counts.begin(), value->counts.end(), std::uint64_t{0}) : 0;
}

}  // namespace windlass::telemetry

// MetricFamily: what metrics were worth at one moment. Values, for whoever shows or exports them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace windlass::telemetry {

// Name and value, sorted by name where they come out of Metrics or MetricWriter.
using Labels = std::vector<std::pair<std::string, std::string>>;

struct HistogramValue {
  std::vector<double> bounds;         // inclusive upper bounds, rising; the last bucket has none
  std::vector<std::uint64_t> counts;  // not cumulative; one more than `bounds`
  double sum = 0;

  friend bool operator==(const HistogramValue&, const HistogramValue&) = default;
};

enum class MetricKind { kCounter, kGauge, kHistogram };

struct MetricSeries {
  Labels labels;
  std::variant<double, HistogramValue> value;  // a HistogramValue for kHistogram only

  friend bool operator==(const MetricSeries&, const MetricSeries&) = default;
};

struct MetricFamily {
  std::string name;
  std::string help;
  MetricKind kind;
  std::vector<MetricSeries> series;

  friend bool operator==(const MetricFamily&, const MetricFamily&) = default;
};

}  // namespace windlass::telemetry

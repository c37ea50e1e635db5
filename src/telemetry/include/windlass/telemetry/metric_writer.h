// MetricWriter: where a callback of Metrics::on_collect puts its values.
//
// Thread safety: none; used within one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "windlass/telemetry/metric_family.h"

namespace windlass::telemetry {

class MetricWriter {
 public:
  explicit MetricWriter(std::size_t series_per_metric_max) : series_max_(series_per_metric_max) {}

  // Aborts on a bad name or a name of another kind, as Metrics does. Labels are the same in any
  // order, and so are values that differ in bytes that are no UTF-8 only. Values for labels that
  // were written before are added up, so that two queues of one name are one series; so are those
  // of series beyond the bound, in one whose labels all have the value kOverflowLabelValue.
  void counter(std::string_view name, std::string_view help, Labels labels, double value);
  void gauge(std::string_view name, std::string_view help, Labels labels, double value);
  void histogram(std::string_view name, std::string_view help, Labels labels, HistogramValue value);

  // All families by name, series by labels; leaves the writer empty.
  std::vector<MetricFamily> take();

 private:
  using Value = std::variant<double, HistogramValue>;
  struct Family {
    std::string help;
    MetricKind kind;
    bool has_overflow;  // the series of those beyond the bound, which does not count for it
    std::map<Labels, Value> series;
  };

  void write(MetricKind kind, std::string_view name, std::string_view help, Labels labels,
             const Value& value);

  const std::size_t series_max_;
  std::map<std::string, Family, std::less<>> families_;
};

inline constexpr std::string_view kOverflowLabelValue = "(other)";

// `labels` as they tell one series from another: sorted by name, and with U+FFFD for each byte of a
// value that is no UTF-8.
Labels canonical(Labels labels);

// `text` with U+FFFD for each byte that is no UTF-8.
std::string valid_utf8(std::string_view text);

// What Prometheus allows.
bool is_metric_name(std::string_view name);
bool is_label_name(std::string_view name);

}  // namespace windlass::telemetry

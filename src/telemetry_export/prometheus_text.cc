#include "windlass/telemetry_export/prometheus_text.h"

#include <cmath>

#include "windlass/base/format.h"
#include "windlass/telemetry/metric_writer.h"

namespace windlass::telemetry_export {
namespace {

using telemetry::HistogramValue;
using telemetry::Labels;
using telemetry::MetricFamily;
using telemetry::MetricKind;

std::string_view to_string(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter: return "counter";
    case MetricKind::kGauge: return "gauge";
    case MetricKind::kHistogram: return "histogram";
  }
  return "untyped";
}

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return format("{}", value);
}

// Quotes are escaped in labels only.
std::string escaped(std::string_view text, bool quotes) {
  std::string valid = telemetry::valid_utf8(text);
  if (valid.find_first_of("\\\"\n") == std::string::npos) return valid;
  std::string out;
  for (const char c : valid) {
    if (c == '\\' || (quotes && c == '"')) out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string labels_text(const Labels& labels, std::string_view bound = {}) {
  std::string out;
  const auto append = [&](std::string_view name, std::string_view value) {
    out += format(R"({}{}="{}")", out.empty() ? "{" : ",", name, escaped(value, true));
  };
  for (const auto& [name, value] : labels) append(name, value);
  if (!bound.empty()) append("le", bound);
  return out.empty() ? out : out + "}";
}

void append_histogram(std::string& out, std::string_view name, const Labels& labels,
                      const HistogramValue& value) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < value.counts.size(); ++i) {
    count += value.counts[i];
    const std::string bound = i < value.bounds.size() ? number(value.bounds[i]) : "+Inf";
    out += format("{}_bucket{} {}\n", name, labels_text(labels, bound), count);
  }
  out += format("{}_sum{} {}\n", name, labels_text(labels), number(value.sum));
  out += format("{}_count{} {}\n", name, labels_text(labels), count);
}

}  // namespace

std::string prometheus_text(std::span<const MetricFamily> families) {
  std::string out;
  for (const MetricFamily& family : families) {
    out += format("# HELP {} {}\n# TYPE {} {}\n", family.name, escaped(family.help, false),
                  family.name, to_string(family.kind));
    for (const auto& [labels, value] : family.series) {
      if (const auto* single = std::get_if<double>(&value)) {
        out += format("{}{} {}\n", family.name, labels_text(labels), number(*single));
      } else {
        append_histogram(out, family.name, labels, std::get<HistogramValue>(value));
      }
    }
  }
  return out;
}

}  // namespace windlass::telemetry_export

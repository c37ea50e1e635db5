// Metrics as Prometheus reads them: its text format, version 0.0.4.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "windlass/base/result.h"
#include "windlass/telemetry/metrics.h"

namespace windlass::telemetry_export {

inline constexpr std::string_view kPrometheusContentType =
    "text/plain; version=0.0.4; charset=utf-8";

std::string prometheus_text(std::span<const telemetry::MetricFamily> families);

// Replaces the file at `path` in one step, so that a reader (such as node_exporter's textfile
// collector) sees the old values or the new ones. kForbidden, kNotFound or kUnavailable, naming the
// file, when that cannot be done; the old file stays then.
Result<void> write_prometheus_file(const std::string& path, const telemetry::Metrics& metrics);

}  // namespace windlass::telemetry_export

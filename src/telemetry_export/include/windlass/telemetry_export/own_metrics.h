// What telemetry itself has done and dropped, as metrics. For a callback of Metrics::on_collect.
#pragma once

#include "windlass/telemetry/metric_writer.h"
#include "windlass/telemetry_export/log_output.h"
#include "windlass/telemetry_export/span_batcher.h"

namespace windlass::telemetry_export {

// windlass_log_lines_total{result="written"|"dropped"}
void write_metrics(telemetry::MetricWriter& writer, const LogOutput::Stats& stats);

// windlass_spans_total{result="exported"|"dropped_full"|"dropped_failed"}, windlass_spans_waiting
void write_metrics(telemetry::MetricWriter& writer, const SpanBatcher::Stats& stats);

}  // namespace windlass::telemetry_export

#include "windlass/telemetry_export/own_metrics.h"

namespace windlass::telemetry_export {

void write_metrics(telemetry::MetricWriter& writer, const LogOutput::Stats& stats) {
  const auto count = [&](std::string_view result, std::uint64_t lines) {
    writer.counter("windlass_log_lines_total", "Log lines by what became of them.",
                   {{"result", std::string(result)}}, static_cast<double>(lines));
  };
  count("written", stats.written);
  count("dropped", stats.dropped);
}

void write_metrics(telemetry::MetricWriter& writer, const SpanBatcher::Stats& stats) {
  const auto count = [&](std::string_view result, std::uint64_t spans) {
    writer.counter("windlass_spans_total", "Ended spans by what became of them.",
                   {{"result", std::string(result)}}, static_cast<double>(spans));
  };
  count("exported", stats.exported);
  count("dropped_full", stats.dropped_full);
  count("dropped_failed", stats.dropped_failed);
  writer.gauge("windlass_spans_waiting", "Ended spans that are not sent yet.", {},
               static_cast<double>(stats.waiting));
}

}  // namespace windlass::telemetry_export

// Observation: what a run tells others than its user: metrics in a file, and spans for a collector
// of traces. Off unless an option or OpenTelemetry's variables ask for it.
//
// Thread safety: lookups() may be used from any thread, the rest by one. Lifetime: what it is given
// outlives it.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "common_options.h"
#include "windlass/app/exit_code.h"
#include "windlass/app/streams.h"
#include "windlass/base/clock.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/telemetry/metrics.h"
#include "windlass/telemetry_export/trace_output.h"

namespace windlass::app {

class Observation {
 public:
  // `command` is what the run is called: "pin".
  Observation(std::string_view command, const CommonOptions& options,
              const Environment& environment, Clock& clock, telemetry::Logger& logger);

  // `next`, with each lookup counted. `next` outlives it.
  std::unique_ptr<registry::ImageResolver> lookups(registry::ImageResolver& next);

  // Counts an attempt that failed and is made again.
  void count_retry() const { retries_.add(); }

  // For what observes itself, as parts of the run's span.
  telemetry::Tracer& tracer() { return traces_->tracer(); }
  telemetry::Metrics& metrics() { return metrics_; }
  telemetry::SpanContext span() const { return run_.context(); }

  // Keeps something until its metrics have been read.
  void keep(std::shared_ptr<void> observed) { kept_ = std::move(observed); }

  // Ends the run's span and writes the file of metrics. An error when that cannot be written.
  Result<void> finish(ExitCode code);

 private:
  Result<void> write_metrics(ExitCode code);

  Clock& clock_;
  const std::string metrics_file_;
  const TimePoint started_;

  std::optional<telemetry_export::TraceOutput> traces_;
  telemetry::Metrics own_metrics_;
  telemetry::Metrics& metrics_;
  telemetry::Counter retries_;
  telemetry::Span run_;
  std::shared_ptr<void> kept_;
};

}  // namespace windlass::app

// TraceOutput: the Tracer of a program, with all it takes to send spans as TraceSettings say.
//
// It never fails: where no spans are wanted, or the settings cannot be used, its tracer records
// nothing, and the log says why.
//
// Thread safety: all members may be called from any thread. Lifetime: clock and logger outlive it;
// spans end before it does.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "windlass/base/clock.h"
#include "windlass/base/random.h"
#include "windlass/http/client.h"
#include "windlass/telemetry/logger.h"
#include "windlass/telemetry/tracer.h"
#include "windlass/telemetry_export/otlp_exporter.h"
#include "windlass/telemetry_export/span_batcher.h"
#include "windlass/telemetry_export/trace_settings.h"

namespace windlass::telemetry_export {

// Invariant: either all members are there, or none.
class TraceOutput {
 public:
  struct Options {
    Duration stop_patience = std::chrono::seconds(3);  // for spans that wait at the end
    std::uint64_t seed = random_seed();                // of ids and of jitter
  };

  TraceOutput(Clock& clock, const TraceSettings& settings, Options options,
              telemetry::Logger& logger);
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;

  // Sends what waits, for no longer than `stop_patience`; what is left then is dropped.
  ~TraceOutput();

  telemetry::Tracer& tracer() { return tracer_ ? *tracer_ : telemetry::null_tracer(); }

  SpanBatcher::Stats stats() const { return batcher_ ? batcher_->stats() : SpanBatcher::Stats{}; }

 private:
  Clock& clock_;
  const Duration stop_patience_;

  std::unique_ptr<http::Client> client_;
  std::optional<OtlpExporter> exporter_;
  std::optional<SpanBatcher> batcher_;
  std::optional<telemetry::Tracer> tracer_;
};

}  // namespace windlass::telemetry_export

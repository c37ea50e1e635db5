#include "windlass/telemetry_export/trace_output.h"

#include <utility>

#include "windlass/http/curl_client.h"

namespace windlass::telemetry_export {

TraceOutput::TraceOutput(Clock& clock, const TraceSettings& settings, Options options,
                         telemetry::Logger& logger)
    : clock_(clock), stop_patience_(options.stop_patience) {
  for (const std::string& problem : settings.problems) logger.warn(problem);
  if (!settings.wanted) return;
  auto client = http::CurlClient::create(clock, {.tls = settings.tls});
  auto exporter = client ? OtlpExporter::create(**client, settings)
                         : Result<OtlpExporter>(fail(client.error()));
  if (!exporter) {
    logger.error("no spans are sent", {exporter.error()});
    return;
  }
  client_ = std::move(*client);
  exporter_.emplace(std::move(*exporter));
  batcher_.emplace(clock, *exporter_,
                   SpanBatcher::Options{.queue_spans_max = settings.queue_spans_max,
                                        .batch_spans_max = settings.batch_spans_max,
                                        .batch_delay = settings.batch_delay,
                                        .export_timeout = settings.export_timeout,
                                        .jitter_seed = options.seed},
                   logger);
  telemetry::Tracer::Options tracer = settings.tracer;
  tracer.id_seed = options.seed;
  tracer_.emplace(clock, *batcher_, tracer);
}

TraceOutput::~TraceOutput() {
  if (batcher_) batcher_->shut_down(saturating_add(clock_.now(), stop_patience_));
}

}  // namespace windlass::telemetry_export

// OtlpExporter: sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON.
//
// Thread safety: one thread at a time. Lifetime: the client outlives it.
#pragma once

#include <string>

#include "windlass/http/client.h"
#include "windlass/http/url.h"
#include "windlass/telemetry_export/span_exporter.h"
#include "windlass/telemetry_export/trace_settings.h"

namespace windlass::telemetry_export {

class OtlpExporter final : public SpanExporter {
 public:
  // kInvalid when the endpoint is no URL.
  static Result<OtlpExporter> create(http::Client& client, const TraceSettings& settings);

  // An error names the endpoint and what the receiver answered, never a header.
  Result<std::size_t> export_spans(std::span<const telemetry::SpanData> spans, Duration at_most,
                                   const std::stop_token& stop) override;

 private:
  OtlpExporter(http::Client& client, http::Url endpoint, http::Headers headers, Duration timeout,
               std::string resource);

  http::Client* client_;
  http::Url endpoint_;
  http::Headers headers_;
  Duration timeout_;
  std::string resource_;  // JSON
};

}  // namespace windlass::telemetry_export

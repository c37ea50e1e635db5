// TraceSettings: what OpenTelemetry's standard variables (OTEL_*) ask for.
//
// A variable with a value that cannot be used counts as not set, as the standard wants, and is
// named in `problems`, without its value where that may be secret. Unlike the standard's kits,
// nothing is sent unless an endpoint or an exporter is named, and nothing where the endpoint cannot
// be used: the default one is not what was meant.
//
// Thread safety: values.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windlass/http/message.h"
#include "windlass/http/tls_settings.h"
#include "windlass/telemetry/tracer.h"

namespace windlass::telemetry_export {

// The value of a variable, or nothing.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

struct TraceSettings {
  bool wanted = false;
  std::string endpoint = "http://localhost:4318/v1/traces";
  http::Headers headers;  // secrets: sent, never shown
  http::TlsSettings tls;
  Duration timeout = std::chrono::seconds(10);                // of one request
  std::vector<std::pair<std::string, std::string>> resource;  // service.name first
  telemetry::Tracer::Options tracer;                          // its id_seed is not set
  std::size_t queue_spans_max = 2048;
  std::size_t batch_spans_max = 512;
  Duration batch_delay = std::chrono::seconds(5);
  Duration export_timeout = std::chrono::seconds(30);  // of a batch, with all its attempts
  std::vector<std::string> problems;                   // one line each, for warnings
};

// `service` is service.name unless a variable says otherwise.
TraceSettings trace_settings(const Environment& environment, std::string_view service);

}  // namespace windlass::telemetry_export

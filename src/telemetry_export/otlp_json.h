// The JSON of OTLP's ExportTraceServiceRequest.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "windlass/telemetry/span.h"

namespace windlass::telemetry_export {

// The value of "resource".
std::string resource_json(std::span<const std::pair<std::string, std::string>> attributes);

std::string trace_request_json(std::string_view resource,
                               std::span<const telemetry::SpanData> spans);

// How many spans the receiver's answer says it refused; 0 when it does not say.
std::size_t rejected_spans(std::string_view answer);

}  // namespace windlass::telemetry_export

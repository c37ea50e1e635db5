#include "windlass/telemetry_export/otlp_exporter.h"

#include <algorithm>

#include "otlp_json.h"
#include "windlass/base/format.h"
#include "windlass/base/number.h"
#include "windlass/base/text.h"

namespace windlass::telemetry_export {
namespace {

ErrorCode code_of(int status) {
  switch (status) {
    case 401: return ErrorCode::kUnauthenticated;
    case 403: return ErrorCode::kForbidden;
    case 404: return ErrorCode::kNotFound;
    case 429: return ErrorCode::kThrottled;
    case 502:
    case 503:
    case 504: return ErrorCode::kUnavailable;
    default: return ErrorCode::kInvalid;  // the protocol names no other status for another try
  }
}

// Seconds only: a date would need the time of day, which may be wrong.
std::optional<Duration> retry_after(const http::Headers& headers) {
  const std::string* text = headers.find("Retry-After");
  if (text == nullptr) return std::nullopt;
  constexpr unsigned kMost = 300;
  const auto seconds = parse_number<unsigned>(*text);
  if (!seconds) return std::nullopt;
  return std::chrono::seconds(std::min(*seconds, kMost));
}

}  // namespace

Result<OtlpExporter> OtlpExporter::create(http::Client& client, const TraceSettings& settings) {
  auto endpoint = http::Url::parse(settings.endpoint);
  if (!endpoint) return fail(std::move(endpoint.error()), "endpoint for spans");
  return OtlpExporter(client, *endpoint, settings.headers, settings.timeout,
                      resource_json(settings.resource));
}

OtlpExporter::OtlpExporter(http::Client& client, http::Url endpoint, http::Headers headers,
                           Duration timeout, std::string resource)
    : client_(&client),
      endpoint_(std::move(endpoint)),
      headers_(std::move(headers)),
      timeout_(timeout),
      resource_(std::move(resource)) {
  headers_.erase("Content-Type");
  headers_.add("Content-Type", "application/json");
}

Result<std::size_t> OtlpExporter::export_spans(std::span<const telemetry::SpanData> spans,
                                               Duration at_most, const std::stop_token& stop) {
  constexpr std::size_t kAnswerBytesMax = std::size_t{64} << 10U;
  auto answer = client_->send_blocking({.method = http::Method::kPost,
                                        .url = endpoint_.to_string(),
                                        .headers = headers_,
                                        .body = trace_request_json(resource_, spans),
                                        .timeout = std::min(timeout_, at_most),
                                        .body_bytes_max = kAnswerBytesMax},
                                       stop);
  const std::string context = "send spans to " + endpoint_.shown();
  if (!answer) return fail(std::move(answer.error()), context);
  if (answer->status >= 200 && answer->status < 300) return rejected_spans(answer->body);
  return fail(
      Error{.code = code_of(answer->status),
            .message = format("{}: the receiver answered with status {}", context, answer->status),
            .retry_after = retry_after(answer->headers)});
}

}  // namespace windlass::telemetry_export

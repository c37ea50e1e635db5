#include "otlp_json.h"

#include <boost/json.hpp>
#include <charconv>

#include "json_text.h"
#include "windlass/base/format.h"

namespace windlass::telemetry_export {
namespace {

using telemetry::OwnedField;
using telemetry::SpanData;

// The protocol's numbers.
int number_of(telemetry::SpanKind kind) {
  switch (kind) {
    case telemetry::SpanKind::kInternal: return 1;
    case telemetry::SpanKind::kServer: return 2;
    case telemetry::SpanKind::kClient: return 3;
    case telemetry::SpanKind::kProducer: return 4;
    case telemetry::SpanKind::kConsumer: return 5;
  }
  return 1;
}

int number_of(telemetry::SpanStatus status) {
  switch (status) {
    case telemetry::SpanStatus::kUnset: return 0;
    case telemetry::SpanStatus::kOk: return 1;
    case telemetry::SpanStatus::kError: return 2;
  }
  return 0;
}

// 64-bit numbers are strings in protobuf's JSON.
std::string unix_nanos(WallTime time) { return format("\"{}\"", time.time_since_epoch().count()); }

void append_field(std::string& out, const OwnedField& field) {
  out += R"({"key":)";
  append_json_string(out, field.name);
  out += R"(,"value":{)";
  if (const auto* text = std::get_if<std::string>(&field.value)) {
    out += R"("stringValue":)";
    append_json_string(out, *text);
  } else if (const auto* number = std::get_if<double>(&field.value)) {
    out += R"("doubleValue":)";
    append_json_number(out, *number);
  } else if (const auto* yes = std::get_if<bool>(&field.value)) {
    out += *yes ? R"("boolValue":true)" : R"("boolValue":false)";
  } else {
    out += format(R"("intValue":"{}")", std::get<std::int64_t>(field.value));
  }
  out += "}}";
}

void append_fields(std::string& out, std::span<const OwnedField> fields) {
  out += R"("attributes":[)";
  for (const OwnedField& field : fields) {
    if (&field != fields.data()) out += ',';
    append_field(out, field);
  }
  out += ']';
}

void append_events(std::string& out, const SpanData& span) {
  out += R"("events":[)";
  for (const telemetry::SpanEvent& event : span.events) {
    if (&event != span.events.data()) out += ',';
    out += R"({"timeUnixNano":)" + unix_nanos(event.time) + R"(,"name":)";
    append_json_string(out, event.name);
    out += ',';
    append_fields(out, event.fields);
    out += '}';
  }
  out += format(R"(],"droppedEventsCount":{})", span.dropped_events);
}

void append_links(std::string& out, const SpanData& span) {
  out += R"(,"links":[)";
  for (const telemetry::SpanContext& link : span.links) {
    if (&link != span.links.data()) out += ',';
    out +=
        format(R"({{"traceId":"{}","spanId":"{}")", link.trace_id.to_hex(), link.span_id.to_hex());
    if (!link.trace_state.empty()) {
      out += R"(,"traceState":)";
      append_json_string(out, link.trace_state);
    }
    out += '}';
  }
  out += format(R"(],"droppedLinksCount":{})", span.dropped_links);
}

void append_span(std::string& out, const SpanData& span) {
  out += format(R"({{"traceId":"{}","spanId":"{}")", span.context.trace_id.to_hex(),
                span.context.span_id.to_hex());
  if (span.parent.valid()) out += format(R"(,"parentSpanId":"{}")", span.parent.to_hex());
  if (!span.context.trace_state.empty()) {
    out += R"(,"traceState":)";
    append_json_string(out, span.context.trace_state);
  }
  out += R"(,"name":)";
  append_json_string(out, span.name);
  out += format(R"(,"kind":{},"startTimeUnixNano":{},"endTimeUnixNano":{},)", number_of(span.kind),
                unix_nanos(span.start), unix_nanos(span.start + span.duration));
  append_fields(out, span.fields);
  out += format(R"(,"droppedAttributesCount":{},)", span.dropped_fields);
  append_events(out, span);
  if (!span.links.empty()) append_links(out, span);
  out += format(R"(,"status":{{"code":{})", number_of(span.status));
  if (!span.status_message.empty()) {
    out += R"(,"message":)";
    append_json_string(out, span.status_message);
  }
  out += "}}";
}

}  // namespace

std::string resource_json(std::span<const std::pair<std::string, std::string>> attributes) {
  std::vector<OwnedField> fields;
  for (const auto& [name, value] : attributes) fields.push_back({name, value});
  std::string out = "{";
  append_fields(out, fields);
  return out + "}";
}

std::string trace_request_json(std::string_view resource, std::span<const SpanData> spans) {
  std::string out;
  out.reserve(512 * spans.size() + resource.size() + 128);
  out += R"({"resourceSpans":[{"resource":)";
  out += resource;
  out += R"(,"scopeSpans":[{"scope":{"name":"windlass"},"spans":[)";
  for (const SpanData& span : spans) {
    if (&span != spans.data()) out += ',';
    append_span(out, span);
  }
  out += "]}]}]}";
  return out;
}

std::size_t rejected_spans(std::string_view answer) {
  boost::system::error_code error;
  const boost::json::value json = boost::json::parse(answer, error);
  if (error || !json.is_object()) return 0;
  const auto* partial = json.as_object().if_contains("partialSuccess");
  if (partial == nullptr || !partial->is_object()) return 0;
  const auto* rejected = partial->as_object().if_contains("rejectedSpans");
  if (rejected == nullptr) return 0;
  if (const auto* number = rejected->if_int64())
    return *number > 0 ? static_cast<std::size_t>(*number) : 0;
  const auto* text = rejected->if_string();
  std::size_t number = 0;
  if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

}  // namespace windlass::telemetry_export

#include "windlass/telemetry/span.h"

#include <algorithm>

#include "span_state.h"

namespace windlass::telemetry {
namespace {

void put(std::vector<OwnedField>& fields, std::size_t fields_max, std::size_t& dropped,
         const Field& field, std::size_t text_bytes_max) {
  const auto found = std::ranges::find(fields, field.name, &OwnedField::name);
  if (found != fields.end()) {
    *found = OwnedField::copy_of(field, text_bytes_max);
  } else if (fields.size() < fields_max) {
    fields.push_back(OwnedField::copy_of(field, text_bytes_max));
  } else {
    ++dropped;
  }
}

}  // namespace

const OwnedField::Value* SpanData::find(std::string_view field_name) const {
  const auto found = std::ranges::find(fields, field_name, &OwnedField::name);
  return found == fields.end() ? nullptr : &found->value;
}

void Span::Free::operator()(State* state) const { delete state; }

Span& Span::operator=(Span&& other) noexcept {
  if (this != &other) {
    end();
    context_ = std::move(other.context_);
    state_ = std::move(other.state_);
  }
  return *this;
}

void Span::record_field(const Field& field) {
  const Tracer::Options& options = state_->options;
  put(state_->data.fields, options.fields_max, state_->data.dropped_fields, field,
      options.text_bytes_max);
}

void Span::record_event(std::string_view name, std::initializer_list<Field> fields) {
  SpanData& data = state_->data;
  if (data.events.size() >= state_->options.events_max) {
    ++data.dropped_events;
    return;
  }
  SpanEvent event{std::string(name), state_->wall_at(state_->clock.now()), {}};
  const Tracer::Options& options = state_->options;
  for (const Field& field : fields) {
    put(event.fields, options.event_fields_max, data.dropped_fields, field, options.text_bytes_max);
  }
  data.events.push_back(std::move(event));
}

void Span::record_link(const SpanContext& other) {
  SpanData& data = state_->data;
  if (!other.valid() || (other.trace_id == context_.trace_id && other.span_id == data.parent))
    return;
  if (std::ranges::find(data.links, other) != data.links.end()) return;
  if (data.links.size() >= state_->options.links_max) {
    ++data.dropped_links;
    return;
  }
  data.links.push_back(other);
}

void Span::record_ok() {
  state_->data.status = SpanStatus::kOk;
  state_->data.status_message.clear();
}

void Span::record_error(const Error& error) {
  state_->data.status = SpanStatus::kError;
  const OwnedField cut =
      OwnedField::copy_of(Field("", error.message), state_->options.text_bytes_max);
  state_->data.status_message = std::get<std::string>(cut.value);
  record_field({"error.type", to_string(error.code)});
}

void Span::finish() {
  const std::unique_ptr<State, Free> state = std::move(state_);
  state->data.duration = state->clock.now() - state->started;
  state->sink.on_end(std::move(state->data));
}

}  // namespace windlass::telemetry

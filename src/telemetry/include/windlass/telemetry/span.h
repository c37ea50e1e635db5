// Span: a piece of work that is going on, and SpanData, what is known of it when it has ended.
//
// A Span that nobody records (tracing is off, or its trace is not sampled) takes every call and
// does nothing: a branch, no allocation.
//
// Thread safety: a Span is used by one thread at a time and may move to another with its task. Its
// context is a value. Lifetime: the Tracer outlives it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windlass/base/time.h"
#include "windlass/telemetry/field.h"
#include "windlass/telemetry/span_context.h"

namespace windlass::telemetry {

enum class SpanKind { kInternal, kServer, kClient, kProducer, kConsumer };
enum class SpanStatus { kUnset, kOk, kError };

struct SpanEvent {
  std::string name;
  WallTime time;
  std::vector<OwnedField> fields;
};

struct SpanData {
  std::string name;
  SpanKind kind = SpanKind::kInternal;
  SpanContext context;
  SpanId parent;  // not valid: the first span of its trace
  WallTime start;
  Duration duration{};
  SpanStatus status = SpanStatus::kUnset;
  std::string status_message;
  std::vector<OwnedField> fields;  // each name once
  std::vector<SpanEvent> events;
  std::vector<SpanContext> links;  // spans of other work that this one is for, each once
  std::size_t dropped_fields = 0;  // of span and events, beyond Tracer::Options
  std::size_t dropped_events = 0;
  std::size_t dropped_links = 0;

  // The value of a field, or nullptr.
  const OwnedField::Value* find(std::string_view field_name) const;
};

class Tracer;

class Span {
 public:
  Span() = default;  // records nothing; its context is not valid
  Span(Span&& other) noexcept = default;
  Span& operator=(Span&& other) noexcept;
  ~Span() { end(); }

  // What to pass on: as parent of other spans, or to another process.
  const SpanContext& context() const { return context_; }

  bool recording() const { return state_ != nullptr; }

  // Sets a field; the last value of a name counts.
  void set(const Field& field) {
    if (state_) [[unlikely]]
      record_field(field);
  }
  void add_event(std::string_view name, std::initializer_list<Field> fields = {}) {
    if (state_) [[unlikely]]
      record_event(name, fields);
  }
  // Another span, of this trace or another, that this work is done for too. One that is not valid,
  // and the span's own parent, are left out.
  void add_link(const SpanContext& other) {
    if (state_) [[unlikely]]
      record_link(other);
  }
  void set_ok() {
    if (state_) [[unlikely]]
      record_ok();
  }
  // Status error with the message; the code becomes the field "error.type".
  void set_error(const Error& error) {
    if (state_) [[unlikely]]
      record_error(error);
  }

  // Hands the span to the tracer's sink. Later calls do nothing.
  void end() {
    if (state_) [[unlikely]]
      finish();
  }

 private:
  friend class Tracer;
  struct State;
  struct Free {
    void operator()(State* state) const;
  };

  void record_field(const Field& field);
  void record_event(std::string_view name, std::initializer_list<Field> fields);
  void record_link(const SpanContext& other);
  void record_ok();
  void record_error(const Error& error);
  void finish();

  SpanContext context_;
  std::unique_ptr<State, Free> state_;
};

}  // namespace windlass::telemetry

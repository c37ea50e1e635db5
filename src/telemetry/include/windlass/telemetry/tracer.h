// Tracer: starts spans, decides which traces are recorded, and hands ended spans to a SpanSink.
//
// Parents are named, never guessed from the thread: a task that goes on elsewhere takes
// `span.context()` along.
//
// Thread safety: all members may be called from any thread. Lifetime: clock and sink outlive the
// tracer, the tracer its spans.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "windlass/base/clock.h"
#include "windlass/telemetry/span.h"

namespace windlass::telemetry {

class SpanSink {
 public:
  virtual ~SpanSink() = default;

  // Called on the thread that ends the span, under no lock; must neither block nor throw.
  virtual void on_end(SpanData span) = 0;
};

// Which traces are recorded. `ratio` looks at the trace's id only, so that every process that knows
// the same ratio decides alike.
struct Sampling {
  double ratio = 1;          // of the traces that begin here: 0 none, 1 all
  bool parent_based = true;  // a span with a parent is recorded when the parent is
};

class Tracer {
 public:
  struct Options {
    Sampling sampling{};
    std::size_t fields_max = 128;        // per span
    std::size_t event_fields_max = 128;  // per event
    std::size_t events_max = 128;        // per span
    std::size_t links_max = 128;         // per span
    std::size_t text_bytes_max = 4096;
    std::uint64_t id_seed = 0;  // from random_seed(); the same seed gives the same ids
  };

  Tracer(Clock& clock, SpanSink& sink, Options options);
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  bool enabled() const { return sink_ != nullptr; }

  // A child of `parent`, or the first span of a new trace when that is not valid.
  Span start(std::string_view name, const SpanContext& parent = kNoParent,
             std::initializer_list<Field> fields = {}) {
    return start(SpanKind::kInternal, name, parent, fields);
  }
  Span start(SpanKind kind, std::string_view name, const SpanContext& parent = kNoParent,
             std::initializer_list<Field> fields = {}) {
    if (sink_ == nullptr) [[likely]]
      return Span();
    return start_enabled(kind, name, parent, fields);
  }

 private:
  friend class Span;
  friend Tracer& null_tracer();
  explicit Tracer(Clock& clock) : clock_(clock), sink_(nullptr) {}

  Span start_enabled(SpanKind kind, std::string_view name, const SpanContext& parent,
                     std::initializer_list<Field> fields);
  bool samples(const SpanContext& parent, const TraceId& trace_id) const;
  template <std::size_t Size>
  HexId<Size> make_id();

  Clock& clock_;
  SpanSink* const sink_;  // null: off
  const Options options_{};

  std::atomic<std::uint64_t> ids_ = 0;
};

// Records nothing.
Tracer& null_tracer();

}  // namespace windlass::telemetry

#include "windlass/telemetry/tracer.h"

#include <cmath>

#include "span_state.h"
#include "windlass/base/random.h"

namespace windlass::telemetry {

Tracer::Tracer(Clock& clock, SpanSink& sink, Options options)
    : clock_(clock), sink_(&sink), options_(options) {}

// Random gives different numbers for different seeds, so counting is enough, and needs no lock.
template <std::size_t Size>
HexId<Size> Tracer::make_id() {
  HexId<Size> id;
  while (!id.valid()) {
    for (std::size_t at = 0; at < Size; at += 8) {
      const std::uint64_t count = ids_.fetch_add(1, std::memory_order_relaxed);
      std::uint64_t number = Random(options_.id_seed + count).next();
      for (std::size_t i = 0; i < 8; ++i, number >>= 8U)
        id.bytes[at + i] = static_cast<std::uint8_t>(number);
    }
  }
  return id;
}

bool Tracer::samples(const SpanContext& parent, const TraceId& trace_id) const {
  if (parent.valid() && options_.sampling.parent_based) return parent.sampled;
  if (options_.sampling.ratio >= 1) return true;
  if (!(options_.sampling.ratio > 0)) return false;
  // The last seven bytes are the ones that the standard wants random.
  std::uint64_t number = 0;
  for (std::size_t i = 9; i < 16; ++i) number = number << 8U | trace_id.bytes[i];
  return static_cast<double>(number) < std::ldexp(options_.sampling.ratio, 56);
}

Span Tracer::start_enabled(SpanKind kind, std::string_view name, const SpanContext& parent,
                           std::initializer_list<Field> fields) {
  Span span;
  span.context_.trace_id = parent.valid() ? parent.trace_id : make_id<16>();
  span.context_.span_id = make_id<8>();
  span.context_.sampled = samples(parent, span.context_.trace_id);
  if (parent.valid()) span.context_.trace_state = parent.trace_state;
  if (!span.context_.sampled) return span;

  span.state_.reset(new Span::State{clock_, *sink_, options_, clock_.now(), {}});
  SpanData& data = span.state_->data;
  data.name = name;
  data.kind = kind;
  data.context = span.context_;
  if (parent.valid()) data.parent = parent.span_id;
  data.start = clock_.wall_now();
  data.fields.reserve(fields.size() + 4);
  for (const Field& field : fields) span.record_field(field);
  return span;
}

Tracer& null_tracer() {
  static Tracer tracer(system_clock());
  return tracer;
}

}  // namespace windlass::telemetry

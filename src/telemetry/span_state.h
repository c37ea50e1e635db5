// What a Span that is recorded keeps until it ends.
#pragma once

#include "windlass/telemetry/tracer.h"

namespace windlass::telemetry {

struct Span::State {
  // The time of day may jump while the span lasts; its events keep their distance from its start.
  WallTime wall_at(TimePoint time) const { return data.start + (time - started); }

  Clock& clock;
  SpanSink& sink;
  const Tracer::Options& options;
  TimePoint started;
  SpanData data;
};

}  // namespace windlass::telemetry

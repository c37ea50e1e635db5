// Context: what a handler knows of the run it is in.
//
// Thread safety: used by the thread that runs the handler; the logger may be used from any.
// Lifetime: ends with the handler's call or, for an asynchronous one, when the run is finished.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <stop_token>
#include <string_view>
#include <utility>

#include "windlass/base/time.h"
#include "windlass/telemetry/field.h"
#include "windlass/telemetry/logger.h"
#include "windlass/telemetry/span.h"
#include "windlass/telemetry/tracer.h"

namespace windlass::reconcile {

class Context {
 public:
  struct Run {
    std::stop_token stop;
    TimePoint deadline = TimePoint::max();
    int attempt = 1;
    std::int32_t priority = 0;
  };
  Context(telemetry::Logger& logger, telemetry::Tracer& tracer, telemetry::Span& span, Run run)
      : logger_(logger), tracer_(tracer), span_(span), run_(std::move(run)) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Adds the fields queue, workerId, key and requeues to each line.
  telemetry::Logger& logger() const { return logger_; }

  // The span of this run: fields may be added, and its context passed on to where work goes.
  telemetry::Span& span() const { return span_; }

  // A span inside span(); to be ended before the run is.
  telemetry::Span start_span(std::string_view name,
                             std::initializer_list<telemetry::Field> fields = {}) const {
    return tracer_.start(name, span_.context(), fields);
  }

  // Requested when the time of the run is over, and when the controller stops: finish soon, or
  // return an error and be tried again later.
  const std::stop_token& stop() const { return run_.stop; }

  // When the run should be done: TimePoint::max() where no time limit is set.
  TimePoint deadline() const { return run_.deadline; }

  // 1 in a key's first run, 2 in its first retry, ...
  int attempt() const { return run_.attempt; }

  std::int32_t priority() const { return run_.priority; }

 private:
  telemetry::Logger& logger_;
  telemetry::Tracer& tracer_;
  telemetry::Span& span_;
  const Run run_;
};

}  // namespace windlass::reconcile

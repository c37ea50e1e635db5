// Context: what a handler knows of the run it is in.
//
// Thread safety: used by the thread that runs the handler; the logger may be used from any.
// Lifetime: ends with the handler's call.
#pragma once

#include <cstdint>
#include <stop_token>

#include "windlass/base/time.h"
#include "windlass/telemetry/logger.h"

namespace windlass::reconcile {

class Context {
 public:
  Context(telemetry::Logger& logger, std::stop_token stop, TimePoint deadline, int attempt,
          std::int32_t priority)
      : logger_(logger),
        stop_(std::move(stop)),
        deadline_(deadline),
        attempt_(attempt),
        priority_(priority) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // Adds the fields queue, workerId and key to each line.
  telemetry::Logger& logger() const { return logger_; }

  // Requested when the controller stops: finish soon, or return an error and be tried again later.
  const std::stop_token& stop() const { return stop_; }

  // When the handler should be done: TimePoint::max() where no time limit is set.
  TimePoint deadline() const { return deadline_; }

  // 1 in a key's first run, 2 in its first retry, ...
  int attempt() const { return attempt_; }

  std::int32_t priority() const { return priority_; }

 private:
  telemetry::Logger& logger_;
  const std::stop_token stop_;
  const TimePoint deadline_;
  const int attempt_;
  const std::int32_t priority_;
};

}  // namespace windlass::reconcile

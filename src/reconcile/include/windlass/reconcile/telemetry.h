// Telemetry: where a Controller says what it does. Nowhere, unless told.
//
// Logger: lines with queue, workerId and key. Tracer: the spans handleQueueItem (a worker's wait
// for a key and what came of it) and, in it, handleQueueItemObject (the handler). Metrics:
// reconcile_..., labelled `controller`, and its queue's workqueue_..., labelled `name`.
//
// A value of references. Lifetime: all three outlive the controller.
#pragma once

#include "windlass/telemetry/logger.h"
#include "windlass/telemetry/metrics.h"
#include "windlass/telemetry/tracer.h"

namespace windlass::reconcile {

struct Telemetry {
  telemetry::Logger& logger = telemetry::null_logger();
  telemetry::Tracer& tracer = telemetry::null_tracer();
  telemetry::Metrics& metrics = telemetry::null_metrics();
};

}  // namespace windlass::reconcile

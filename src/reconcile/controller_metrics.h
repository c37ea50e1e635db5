// The metrics of a controller and of its queue, as dashboards know them.
#pragma once

#include <string>

#include "windlass/reconcile/stats.h"
#include "windlass/telemetry/metric_writer.h"
#include "windlass/workqueue/queue_stats.h"

namespace windlass::reconcile {

// reconcile_total by result (those of controller-runtime, and `forgotten`), errors, panics and
// timeouts, active and maximum workers; `controller` is the label.
void write_reconcile_metrics(telemetry::MetricWriter& writer, const std::string& controller,
                             const Stats& stats);

// Those of workqueue::queue_metrics(), in seconds; `name` is the label, as in client-go.
void write_queue_metrics(telemetry::MetricWriter& writer, const std::string& name,
                         const workqueue::QueueStats& stats);

}  // namespace windlass::reconcile

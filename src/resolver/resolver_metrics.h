// The metrics of a resolver, made of its status and of what it has counted. Their names and labels
// stand in docs/guides/resolver.md.
#pragma once

#include "tallies.h"
#include "windlass/resolver/status.h"
#include "windlass/telemetry/metric_writer.h"

namespace windlass::resolver {

void write_metrics(const Status& status, const Tallies& tallies, telemetry::MetricWriter& writer);

}  // namespace windlass::resolver

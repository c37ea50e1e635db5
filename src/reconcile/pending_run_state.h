// PendingRun::State: what a run needs from its beginning to its end.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "active_runs.h"
#include "windlass/reconcile/context.h"
#include "windlass/reconcile/controller.h"
#include "windlass/reconcile/pending_run.h"
#include "windlass/telemetry/field_logger.h"
#include "windlass/telemetry/span.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::reconcile {

// On the stack of its worker or, for an asynchronous handler, in a PendingRun. It never moves.
struct PendingRun::State {
  State(Controller& its_controller, workqueue::Item<std::string> taken, int its_worker,
        telemetry::Span waited)
      : controller(its_controller),
        worker(its_worker),
        item(std::move(taken)),
        active(item.key()),
        item_span(std::move(waited)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  const std::string& key() const { return active.key; }

  Controller& controller;
  const int worker;
  workqueue::Item<std::string> item;
  ActiveRun active;
  telemetry::Span item_span;    // handleQueueItem
  telemetry::Span object_span;  // handleQueueItemObject
  Controller::Retrying before{.first_added = item.time_added()};
  bool retrying = false;  // the controller has counts of the key
  bool threw = false;

  // From the beginning of the run.
  std::optional<telemetry::FieldLogger> logger;
  std::optional<Context> context;
};

}  // namespace windlass::reconcile

// PendingRun::State: what a run needs from its beginning to its end.
#pragma once

#include <memory>
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

// The call of an asynchronous handler. A run that is let go meanwhile, on the same thread, is kept
// until the call has ended: only then is it known whether the handler threw, and what.
class HandlerCall {
 public:
  explicit HandlerCall(const PendingRun::State& run);
  ~HandlerCall();
  HandlerCall(const HandlerCall&) = delete;
  HandlerCall& operator=(const HandlerCall&) = delete;

  // True when `run` is that of the call that this thread is in, which keeps it then.
  static bool take(std::unique_ptr<PendingRun::State>& run);

  // The run, if it was let go.
  std::unique_ptr<PendingRun::State> end();

 private:
  const PendingRun::State* run_;
  HandlerCall* const outer_;
  std::unique_ptr<PendingRun::State> left_;
};

}  // namespace windlass::reconcile

// Handler and AsyncHandler: what a Controller calls for a key.
//
// Thread safety: called from all workers at the same time, for one key by one worker at a time.
#pragma once

#include <functional>
#include <string>

#include "windlass/base/result.h"
#include "windlass/reconcile/context.h"
#include "windlass/reconcile/outcome.h"
#include "windlass/reconcile/pending_run.h"

namespace windlass::reconcile {

// An error is retried; an exception counts as an error of code kInternal. The worker is the
// handler's until it returns.
using Handler = std::function<Result<Outcome>(Context&, const std::string& key)>;

// For work that ends later and on any thread: no worker is held up meanwhile.
using AsyncHandler = std::function<void(PendingRun run)>;

}  // namespace windlass::reconcile

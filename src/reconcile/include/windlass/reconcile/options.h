// Options: what can be chosen of a Controller. All bounds are here.
//
// A value that moves: a controller owns its limiter.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "windlass/base/time.h"
#include "windlass/reconcile/retry_policy.h"
#include "windlass/workqueue/rate_limiter.h"

namespace windlass::reconcile {

struct Options {
  // Null means workqueue::default_controller_limiter(). It must not throw.
  std::unique_ptr<workqueue::RateLimiter<std::string>> limiter = nullptr;

  // At most this many retries, counted as retry_while_requeues_below() does.
  int max_retries = 20;

  // Decides instead of `max_retries`, which still does for a run where it throws.
  RetryPolicy retry_policy = nullptr;

  // After this time Context::stop() of a run is requested; zero never does. A handler that does not
  // look at it goes on.
  Duration run_timeout = {};

  // How long a stopping run() waits for the keys that are still being handled, before it reports
  // them. A handler that is not asynchronous is waited for in any case.
  Duration stop_timeout = std::chrono::seconds(30);

  // Keys that an asynchronous handler is given at a time, >= 1. Workers bound the other kind.
  int max_in_flight = 256;

  // What run() may be asked for at most.
  int workers_max = 1024;

  // Keys held at a time; enqueueing another is refused.
  std::size_t keys_max = 0xFFFF'0000;
};

}  // namespace windlass::reconcile

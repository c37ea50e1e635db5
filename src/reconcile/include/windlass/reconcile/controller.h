// Controller: a named queue of keys and the handler that its workers run for each of them.
//
// It decides what follows from a handler's result: nothing, another run, a retry after a back-off,
// or giving the key up. It has no threads of its own: run() blocks and brings the workers with it.
//
// Thread safety: all members may be called from any thread, all but run() also from the handler.
// Lifetime: clock and logger outlive the controller; run() has returned before it is destroyed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>

#include "windlass/base/clock.h"
#include "windlass/base/mutex.h"
#include "windlass/base/result.h"
#include "windlass/reconcile/context.h"
#include "windlass/reconcile/outcome.h"
#include "windlass/reconcile/retry_policy.h"
#include "windlass/telemetry/logger.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::reconcile {

// Called from all workers at the same time, for one key by one worker at a time. An error is
// retried; an exception counts as an error of code kInternal.
using Handler = std::function<Result<Outcome>(Context&, const std::string& key)>;

struct Options {
  // Null means workqueue::default_controller_limiter().
  std::unique_ptr<workqueue::RateLimiter<std::string>> limiter = nullptr;

  // At most this many retries, counted as retry_while_requeues_below() does.
  int max_retries = 20;

  // Decides instead of `max_retries`.
  RetryPolicy retry_policy = nullptr;

  // Becomes Context::deadline() of each run; zero sets none. Nothing interrupts a handler that does
  // not look at it.
  Duration run_timeout = {};

  // Keys held at a time; enqueueing another is refused.
  std::size_t keys_max = 0xFFFF'0000;
};

// Invariant: `runs_` holds exactly the keys whose handler is running, `failing_` those whose last
// run failed and that are still retried.
class Controller {
 public:
  Controller(Clock& clock, std::string name, Options options, Handler handler,
             telemetry::Logger& logger = telemetry::null_logger());
  ~Controller();
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // Handles `key` when the rate limiter lets it, which counts as one of its requeues. A key that
  // is waiting stays one key; one that is being handled is handled again. False when full.
  bool enqueue(std::string_view key);
  bool enqueue_now(std::string_view key);
  // A key that is also enqueued at once is handled now and again after `delay`; of two delays the
  // earlier one counts.
  bool enqueue_after(std::string_view key, Duration delay);

  // Drops what is planned for `key` and its back-off. If it is being handled, the result of that
  // run is dropped too; what is enqueued afterwards counts. Unknown keys are fine.
  void forget(std::string_view key) EXCLUDES(mutex_);

  // Runs that are planned, now or later, and those going on.
  std::size_t len() const;
  std::size_t unprocessed_len() const;  // planned: a key enqueued now and for later counts as two
  std::size_t running_len() const;
  bool empty() const;

  // Handles keys with `workers` threads until `stop` is requested; returns when each has finished
  // its key. Keys that are left stay for the next run(). kInvalid when workers < 1, kConflict when
  // it runs already; the queue is as before then.
  Result<void> run(const std::stop_token& stop, int workers) EXCLUDES(mutex_);

  const std::string& name() const { return name_; }

 private:
  using Queue = workqueue::WorkQueue<std::string>;
  struct Run;
  struct Failing {
    int tries;
    TimePoint first_added;
  };

  void work(int worker, const std::stop_token& stop) EXCLUDES(mutex_);
  // Notes that the handler of `key` runs; returns which attempt it is.
  int begin(const std::string& key) EXCLUDES(mutex_);
  Result<Outcome> call_handler(const Run& run, const std::stop_token& stop) const;
  void finish(const Run& run, Result<Outcome> result) EXCLUDES(mutex_);
  void succeed(const Run& run, const Outcome& outcome) EXCLUDES(mutex_);
  void fail_run(const Run& run, const Error& error) EXCLUDES(mutex_);
  void end_retrying(std::string_view key) EXCLUDES(mutex_);
  int count_failure(const Run& run, TimePoint& first_added) EXCLUDES(mutex_);

  Clock& clock_;
  telemetry::Logger& logger_;
  const std::string name_;
  const Duration run_timeout_;
  const RetryPolicy retry_policy_;
  const Handler handler_;

  Queue queue_;

  mutable Mutex mutex_;
  bool running_ GUARDED_BY(mutex_) = false;
  std::unordered_map<std::string, bool> runs_ GUARDED_BY(mutex_);  // value: forgotten meanwhile
  std::unordered_map<std::string, Failing> failing_ GUARDED_BY(mutex_);
};

}  // namespace windlass::reconcile

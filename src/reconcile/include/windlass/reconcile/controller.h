// Controller: a named queue of keys and the handler that its workers run for each of them.
//
// It decides what follows from a handler's result: nothing, another run, a retry after a back-off,
// or giving the key up. It has no threads of its own: run() blocks and brings the workers with it.
//
// Thread safety: all members may be called from any thread, all but run() also from the handler.
// Lifetime: clock and telemetry outlive the controller; run() has returned before it is destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/mutex.h"
#include "windlass/base/result.h"
#include "windlass/reconcile/handler.h"
#include "windlass/reconcile/options.h"
#include "windlass/reconcile/stats.h"
#include "windlass/reconcile/telemetry.h"
#include "windlass/telemetry/metrics.h"
#include "windlass/telemetry/span.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::reconcile {

class ActiveRuns;

// Invariant: `active_` holds the runs that were begun and are not finished; `retrying_` the keys
// that failed or asked to be requeued, and were neither done nor given up since.
class Controller {
 public:
  // Takes anything; what it cannot work with is refused by run().
  Controller(Clock& clock, std::string name, Options options, Handler handler,
             const Telemetry& telemetry = {});
  Controller(Clock& clock, std::string name, Options options, AsyncHandler handler,
             const Telemetry& telemetry = {});
  ~Controller();  // waits for asynchronous runs that are not finished yet
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // Handles `key` when the rate limiter lets it, which counts as one of its requeues. A key that is
  // waiting stays one key, with the higher priority, and nothing is counted; one that is being
  // handled is handled again. False when full. The span "insert" is a child of `parent`: whoever
  // enqueues from a handler passes the context of its span.
  bool enqueue(std::string_view key, workqueue::AddOptions options = {},
               const telemetry::SpanContext& parent = telemetry::kNoParent);
  bool enqueue_now(std::string_view key, workqueue::AddOptions options = {},
                   const telemetry::SpanContext& parent = telemetry::kNoParent);
  // A key that is also enqueued at once is handled now and again after `delay`; of two delays the
  // earlier one counts.
  bool enqueue_after(std::string_view key, Duration delay, workqueue::AddOptions options = {},
                     const telemetry::SpanContext& parent = telemetry::kNoParent);

  // Drops what is planned for `key` and its back-off. If it is being handled, the result of that
  // run is dropped too; what is enqueued afterwards counts. Unknown keys are fine.
  void forget(std::string_view key, const telemetry::SpanContext& parent = telemetry::kNoParent)
      EXCLUDES(mutex_);

  // Runs that are planned, now or later, and those going on, all at one moment.
  std::size_t len() const;
  // Planned: a key enqueued now and for later counts as two, one that is being handled and was
  // enqueued again as one.
  std::size_t unprocessed_len() const;
  std::size_t running_len() const;
  bool empty() const;
  Stats stats() const EXCLUDES(mutex_);

  // Handles keys with `workers` threads until `stop` is requested; returns when every key that was
  // being handled is finished, or `stop_timeout` has passed. Keys that are left stay for the next
  // run(). The queue is as before after a refusal:
  //   kInvalid      no name, no handler, a bound below 1, or not 1 <= workers <= workers_max
  //   kConflict     it is running already
  //   kUnavailable  the machine has no more threads; the workers it had have left again
  Result<StopReport> run(const std::stop_token& stop, int workers) EXCLUDES(mutex_);

  const std::string& name() const { return name_; }

 private:
  friend class PendingRun;
  using Queue = workqueue::WorkQueue<std::string>;
  using Run = PendingRun::State;
  struct Retrying {
    int failures = 0;
    int requeues_asked = 0;  // by the handler; the limiter counts these too
    TimePoint first_added;
    std::optional<TimePoint> limited_since = std::nullopt;  // when the limiter was asked
  };

  Controller(Clock& clock, std::string name, Options options, Handler handler,
             AsyncHandler async_handler, const Telemetry& telemetry);

  Result<void> check_usable(int workers) const;
  Result<void> start_workers(std::vector<std::jthread>& workers, int count,
                             const std::stop_token& stop);
  // Tells runs to stop whose time is over, until `stop` is requested.
  void supervise(const std::stop_token& stop) EXCLUDES(mutex_);
  // Tells all runs to stop and waits for them; the keys of those that go on after that.
  std::vector<std::string> wind_down() EXCLUDES(mutex_);
  bool idle() const REQUIRES(mutex_);

  void work(int worker, const std::stop_token& stop) EXCLUDES(mutex_);
  void handle(Run& run) EXCLUDES(mutex_);
  void hand_over(std::unique_ptr<Run> run) EXCLUDES(mutex_);
  bool reserve(const std::stop_token& stop) EXCLUDES(mutex_);
  void release() EXCLUDES(mutex_);
  void leave() EXCLUDES(mutex_);
  Result<Outcome> call_handler(Run& run) const;

  void begin(Run& run) EXCLUDES(mutex_);
  void start_span(Run& run, bool redirty) const;
  void finish(Run& run, const Result<Outcome>& result) EXCLUDES(mutex_);
  // What follows from a result; each returns what the run counts as.
  using Counter = std::uint64_t Stats::*;
  Counter follow_up(Run& run, const Result<Outcome>& result) EXCLUDES(mutex_);
  Counter succeed(Run& run, const Outcome& outcome) EXCLUDES(mutex_);
  Counter fail_run(Run& run, const Error& error) EXCLUDES(mutex_);
  Counter give_up(Run& run, const Error& error, const RetryDecision& decision) EXCLUDES(mutex_);
  Counter drop(Run& run) EXCLUDES(mutex_);
  // That the key is not tried any more.
  static void report(Run& run, const Error& error, bool terminal);

  RetryDecision decide(Run& run, const FailedRun& failed) const;
  // The key's counts with this run in them; nothing when it was forgotten.
  std::optional<Retrying> count(Run& run, int Retrying::* what) EXCLUDES(mutex_);
  void plan(Run& run, std::optional<Duration> delay, std::optional<std::int32_t> priority)
      EXCLUDES(mutex_);
  void end_retrying(const Run& run) EXCLUDES(mutex_);

  bool insert(std::string_view key, bool rate_limited, std::optional<Duration> delay,
              workqueue::AddOptions options, const telemetry::SpanContext& parent) EXCLUDES(mutex_);
  // True when `key` is being handled; its next run then knows that it was asked for meanwhile.
  bool note_redirty(std::string_view key) EXCLUDES(mutex_);

  Clock& clock_;
  const Telemetry telemetry_;
  const std::string name_;
  const Duration run_timeout_;
  const Duration stop_timeout_;
  const int max_in_flight_;
  const int workers_max_;
  const RetryPolicy default_policy_;
  const RetryPolicy retry_policy_;
  const Handler handler_;
  const AsyncHandler async_handler_;

  Queue queue_;
  const telemetry::Histogram seconds_;

  mutable Mutex mutex_;
  CondVar room_;     // for workers
  CondVar changed_;  // for run() and the destructor
  bool running_ GUARDED_BY(mutex_) = false;
  int workers_ GUARDED_BY(mutex_) = 0;
  int reserved_ GUARDED_BY(mutex_) = 0;  // of max_in_flight_
  TimePoint supervised_until_ GUARDED_BY(mutex_) = TimePoint::max();
  const std::unique_ptr<ActiveRuns> active_ PT_GUARDED_BY(mutex_);
  std::unordered_map<std::string, Retrying> retrying_ GUARDED_BY(mutex_);
  // Running for the queue, but not begun here yet: begin() takes them out.
  std::unordered_set<std::string> forgotten_early_ GUARDED_BY(mutex_);
  std::unordered_set<std::string> redirtied_ GUARDED_BY(mutex_);  // only while spans are recorded
  Stats stats_ GUARDED_BY(mutex_);

  const telemetry::Metrics::Registration metrics_;
};

}  // namespace windlass::reconcile

// The part of Controller that is not about one key: what is planned, and run() itself.
#include "windlass/reconcile/controller.h"

#include <system_error>
#include <utility>

#include "controller_metrics.h"
#include "merge_limiter.h"
#include "pending_run_state.h"
#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/workqueue/default_limiters.h"

namespace windlass::reconcile {
namespace {

using Limiter = std::unique_ptr<workqueue::RateLimiter<std::string>>;

Limiter merging(Clock& clock, Limiter limiter) {
  return std::make_unique<MergeLimiter>(
      limiter ? std::move(limiter) : workqueue::default_controller_limiter<std::string>(clock));
}

std::size_t planned(const workqueue::QueueStats& queue) { return queue.depth() + queue.delayed; }

}  // namespace

Controller::Controller(Clock& clock, std::string name, Options options, Handler handler,
                       const Telemetry& telemetry)
    : Controller(clock, std::move(name), std::move(options), std::move(handler), nullptr,
                 telemetry) {}

Controller::Controller(Clock& clock, std::string name, Options options, AsyncHandler handler,
                       const Telemetry& telemetry)
    : Controller(clock, std::move(name), std::move(options), nullptr, std::move(handler),
                 telemetry) {}

Controller::Controller(Clock& clock, std::string name, Options options, Handler handler,
                       AsyncHandler async_handler, const Telemetry& telemetry)
    : clock_(clock),
      telemetry_(telemetry),
      name_(std::move(name)),
      run_timeout_(options.run_timeout),
      stop_timeout_(options.stop_timeout),
      max_in_flight_(options.max_in_flight),
      workers_max_(options.workers_max),
      default_policy_(retry_while_requeues_below(options.max_retries)),
      retry_policy_(std::move(options.retry_policy)),
      handler_(std::move(handler)),
      async_handler_(std::move(async_handler)),
      queue_(clock, {.limiter = merging(clock, std::move(options.limiter)),
                     .name = name_,
                     .keys_max = options.keys_max}),
      seconds_(telemetry_.metrics.histogram(
          "reconcile_time_seconds", "How long handling a key took.",
          telemetry::default_seconds_buckets(), {{"controller", name_}})),
      active_(std::make_unique<ActiveRuns>()),
      metrics_(telemetry_.metrics.on_collect([this](telemetry::MetricWriter& writer) {
        write_reconcile_metrics(writer, name_, stats());
        write_queue_metrics(writer, name_, queue_.stats());
      })) {}

Controller::~Controller() {
  MutexLock lock(mutex_);
  WINDLASS_CHECK(!running_);
  clock_.wait(mutex_, changed_, {}, [this] {
    mutex_.assert_held();
    return idle();
  });
}

std::size_t Controller::len() const {
  const workqueue::QueueStats queue = queue_.stats();
  return planned(queue) + queue.running;
}

std::size_t Controller::unprocessed_len() const { return planned(queue_.stats()); }

std::size_t Controller::running_len() const { return queue_.running_len(); }

bool Controller::empty() const { return queue_.empty(); }

Stats Controller::stats() const {
  MutexLock lock(mutex_);
  Stats stats = stats_;
  stats.handling_now = active_->size();
  stats.retrying = retrying_.size();
  return stats;
}

Result<void> Controller::check_usable(int workers) const {
  const auto refuse = [this](std::string_view why) {
    return fail(ErrorCode::kInvalid, format("run queue {}: {}", name_, why));
  };
  if (name_.empty()) return fail(ErrorCode::kInvalid, "run queue: it needs a name");
  if (!handler_ && !async_handler_) return refuse("it has no handler");
  if (max_in_flight_ < 1) {
    return refuse(format("max_in_flight must be at least 1, got {}", max_in_flight_));
  }
  if (workers < 1) return refuse(format("workers must be at least 1, got {}", workers));
  if (workers > workers_max_) {
    return refuse(format("workers must be at most {}, got {}", workers_max_, workers));
  }
  return {};
}

Result<StopReport> Controller::run(const std::stop_token& stop, int workers) {
  if (Result<void> usable = check_usable(workers); !usable) return fail(std::move(usable.error()));
  {
    MutexLock lock(mutex_);
    if (running_) return fail(ErrorCode::kConflict, format("queue {} is already running", name_));
    running_ = true;
    stats_.handling_limit = static_cast<std::size_t>(async_handler_ ? max_in_flight_ : workers);
    active_->start_over();
  }
  StopReport report;
  Result<void> started;
  {
    std::stop_source ending;
    const std::stop_callback pass_on(stop, [&ending] { ending.request_stop(); });
    std::vector<std::jthread> threads;
    started = start_workers(threads, workers, ending.get_token());
    if (started) supervise(stop);
    ending.request_stop();
    report.running = wind_down();
  }
  // Now that the workers have left: one that took longer may have planned its key again.
  const workqueue::QueueStats queue = queue_.stats();
  report.ready = queue.depth();
  report.delayed = queue.delayed;
  {
    MutexLock lock(mutex_);
    running_ = false;
    stats_.handling_limit = 0;
  }
  if (!started) return fail(std::move(started.error()));
  return report;
}

Result<void> Controller::start_workers(std::vector<std::jthread>& workers, int count,
                                       const std::stop_token& stop) {
  for (int worker = 0; worker < count; ++worker) {
    {
      MutexLock lock(mutex_);
      ++workers_;
    }
    try {
      workers.emplace_back([this, worker, stop] { work(worker, stop); });
    } catch (const std::system_error& error) {
      leave();
      return fail(ErrorCode::kUnavailable, format("run queue {}: start worker {} of {}: {}", name_,
                                                  worker + 1, count, error.what()));
    }
  }
  return {};
}

void Controller::supervise(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  while (!stop.stop_requested()) {
    supervised_until_ = active_->next_deadline();
    clock_.wait_until(mutex_, changed_, supervised_until_, stop, [this] {
      mutex_.assert_held();
      return active_->next_deadline() < supervised_until_;
    });
    std::vector<std::stop_source> expired = active_->expire(clock_.now());
    stats_.timed_out += expired.size();
    lock.unlock();
    for (std::stop_source& run : expired) run.request_stop();
    lock.lock();
  }
}

bool Controller::idle() const { return workers_ == 0 && active_->size() == 0; }

std::vector<std::string> Controller::wind_down() {
  MutexLock lock(mutex_);
  std::vector<std::stop_source> runs = active_->stop_all();
  lock.unlock();
  for (std::stop_source& run : runs) run.request_stop();

  lock.lock();
  const bool finished =
      clock_.wait_until(mutex_, changed_, saturating_add(clock_.now(), stop_timeout_), {}, [this] {
        mutex_.assert_held();
        return idle();
      });
  std::vector<std::string> running;
  if (!finished) running = active_->keys();
  lock.unlock();

  for (const std::string& key : running) {
    telemetry_.logger.warn("still handled after the time to stop",
                           {{"queue", name_}, {"key", key}});
  }
  return running;
}

}  // namespace windlass::reconcile

#include "windlass/reconcile/controller.h"

#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "key_logger.h"
#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::reconcile {

struct Controller::Run {
  const Queue::Item& item;
  const std::string& key;
  telemetry::Logger& logger;
  int attempt;
};

Controller::Controller(Clock& clock, std::string name, Options options, Handler handler,
                       telemetry::Logger& logger)
    : clock_(clock),
      logger_(logger),
      name_(std::move(name)),
      run_timeout_(options.run_timeout),
      retry_policy_(options.retry_policy ? std::move(options.retry_policy)
                                         : retry_while_requeues_below(options.max_retries)),
      handler_(std::move(handler)),
      queue_(clock,
             {.limiter = std::move(options.limiter), .name = name_, .keys_max = options.keys_max}) {
}

Controller::~Controller() {
  MutexLock lock(mutex_);
  WINDLASS_CHECK(!running_);
}

bool Controller::enqueue(std::string_view key) {
  // The queue takes no retry of a key that was forgotten in its run; and such a key has no back-off
  // left to wait for.
  return queue_.add_rate_limited(key) || queue_.add(key);
}

bool Controller::enqueue_now(std::string_view key) { return queue_.add(key); }

bool Controller::enqueue_after(std::string_view key, Duration delay) {
  return queue_.add_after(key, delay);
}

void Controller::forget(std::string_view key) {
  {
    MutexLock lock(mutex_);
    const auto run = runs_.find(std::string(key));
    if (run != runs_.end()) run->second = true;
  }
  queue_.remove(key);
  end_retrying(key);
}

std::size_t Controller::len() const { return unprocessed_len() + running_len(); }

std::size_t Controller::unprocessed_len() const { return queue_.len() + queue_.delayed_len(); }

std::size_t Controller::running_len() const { return queue_.running_len(); }

bool Controller::empty() const { return queue_.empty(); }

Result<void> Controller::run(const std::stop_token& stop, int workers) {
  if (workers < 1) {
    return fail(ErrorCode::kInvalid,
                format("run queue {}: workers must be at least 1, got {}", name_, workers));
  }
  {
    MutexLock lock(mutex_);
    if (std::exchange(running_, true)) {
      return fail(ErrorCode::kConflict, format("queue {} is already running", name_));
    }
  }
  Result<void> result;
  {
    std::stop_source ending;
    const std::stop_callback pass_on(stop, [&ending] { ending.request_stop(); });
    std::vector<std::jthread> threads;
    try {
      for (int worker = 0; worker < workers; ++worker) {
        threads.emplace_back([this, worker, token = ending.get_token()] { work(worker, token); });
      }
    } catch (const std::system_error& error) {
      ending.request_stop();
      result =
          fail(ErrorCode::kUnavailable, format("run queue {}: start worker {} of {}: {}", name_,
                                               threads.size() + 1, workers, error.what()));
    }
  }
  MutexLock lock(mutex_);
  running_ = false;
  return result;
}

void Controller::work(int worker, const std::stop_token& stop) {
  while (std::optional<Queue::Item> item = queue_.get(stop)) {
    const std::string key(item->key());
    KeyLogger logger(logger_, name_, worker, key);
    const Run run{.item = *item, .key = key, .logger = logger, .attempt = begin(key)};
    finish(run, call_handler(run, stop));
  }
}

int Controller::begin(const std::string& key) {
  MutexLock lock(mutex_);
  runs_.emplace(key, false);
  const auto failing = failing_.find(key);
  return failing == failing_.end() ? 1 : failing->second.tries + 1;
}

Result<Outcome> Controller::call_handler(const Run& run, const std::stop_token& stop) const {
  const TimePoint deadline = run_timeout_ > Duration::zero()
                                 ? saturating_add(clock_.now(), run_timeout_)
                                 : TimePoint::max();
  Context context(run.logger, stop, deadline, run.attempt, run.item.priority());
  run.logger.debug("Got Queue object", {{"attempt", std::int64_t{run.attempt}}});
  try {
    return handler_(context, run.key);
  } catch (const std::exception& error) {
    return fail(ErrorCode::kInternal, std::string("the handler threw: ") + error.what());
  } catch (...) {
    return fail(ErrorCode::kInternal, "the handler threw something that is no std::exception");
  }
}

void Controller::finish(const Run& run, Result<Outcome> result) {
  bool forgotten = false;
  {
    MutexLock lock(mutex_);
    const auto entry = runs_.find(run.key);
    forgotten = entry->second;
    runs_.erase(entry);
  }
  // A forget() from here on still finds the item open, so the queue ignores what this run asks for.
  if (forgotten) {
    run.logger.warn(format("forgetting {} as told to forget while in progress", quoted(run.key)));
    end_retrying(run.key);
  } else if (result) {
    succeed(run, *result);
  } else {
    fail_run(run, result.error());
  }
}

void Controller::succeed(const Run& run, const Outcome& outcome) {
  const std::int32_t priority = outcome.priority.value_or(run.item.priority());
  switch (outcome.kind) {
    case Outcome::Kind::kDone:
      end_retrying(run.key);
      run.logger.debug("Processed Queue item");
      break;
    case Outcome::Kind::kRequeue: queue_.add_rate_limited(run.key, {.priority = priority}); break;
    case Outcome::Kind::kRequeueAfter:
      end_retrying(run.key);
      queue_.add_after(run.key, outcome.delay, {.priority = priority});
      break;
    case Outcome::Kind::kTerminal:
      end_retrying(run.key);
      run.logger.error("Error processing Queue item",
                       {{"error", outcome.error ? std::string_view(outcome.error->message) : ""},
                        {"terminal", true}});
      break;
  }
}

void Controller::fail_run(const Run& run, const Error& error) {
  TimePoint first_added;
  const int tries = count_failure(run, first_added);
  const RetryDecision decision = retry_policy_({.key = run.key,
                                                .tries = tries,
                                                .requeues = queue_.num_requeues(run.key),
                                                .first_added = first_added,
                                                .error = error});
  if (!decision.retry) {
    end_retrying(run.key);
    run.logger.error(
        format("forgetting {} due to maximum retries reached: {}", quoted(run.key), error.message),
        {{"tries", std::int64_t{tries}}});
    return;
  }
  run.logger.warn(format("requeuing {} due to failed sync: {}", quoted(run.key), error.message),
                  {{"tries", std::int64_t{tries}}});
  if (decision.delay) {
    queue_.add_after(run.key, *decision.delay, {.priority = run.item.priority()});
  } else {
    queue_.add_rate_limited(run.key, {.priority = run.item.priority()});
  }
}

int Controller::count_failure(const Run& run, TimePoint& first_added) {
  MutexLock lock(mutex_);
  Failing& failing =
      failing_.try_emplace(run.key, Failing{.tries = 0, .first_added = run.item.time_added()})
          .first->second;
  first_added = failing.first_added;
  return ++failing.tries;
}

void Controller::end_retrying(std::string_view key) {
  queue_.forget(key);
  MutexLock lock(mutex_);
  failing_.erase(std::string(key));
}

}  // namespace windlass::reconcile

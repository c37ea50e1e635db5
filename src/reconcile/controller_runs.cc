// The part of Controller that handles one key: from the queue to what follows.
#include <algorithm>
#include <exception>
#include <utility>

#include "pending_run_state.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/reconcile/controller.h"

namespace windlass::reconcile {

namespace {

// What is being thrown, as a failure.
Error thrown() {
  try {
    throw;
  } catch (const std::exception& error) {
    return {ErrorCode::kInternal, format("the handler threw: {}", error.what())};
  } catch (...) {
    return {ErrorCode::kInternal, "the handler threw something that is no std::exception"};
  }
}

}  // namespace

void Controller::work(int worker, const std::stop_token& stop) {
  while (!async_handler_ || reserve(stop)) {
    telemetry::Span span =
        telemetry_.tracer.start("handleQueueItem", {}, {{"queue", name_}, {"workerId", worker}});
    std::optional<Queue::Item> item = queue_.get(stop);
    if (!item) {
      if (async_handler_) release();
      break;
    }
    if (async_handler_) {
      hand_over(std::make_unique<Run>(*this, std::move(*item), worker, std::move(span)));
    } else {
      Run run(*this, std::move(*item), worker, std::move(span));
      handle(run);
    }
  }
  leave();
}

bool Controller::reserve(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  const bool room = clock_.wait(mutex_, room_, stop, [this] {
    mutex_.assert_held();
    return reserved_ < max_in_flight_;
  });
  if (!room || stop.stop_requested()) return false;
  ++reserved_;
  return true;
}

void Controller::release() {
  MutexLock lock(mutex_);
  --reserved_;
  room_.notify_one();
}

void Controller::leave() {
  MutexLock lock(mutex_);
  --workers_;
  if (idle()) changed_.notify_all();
}

void Controller::handle(Run& run) {
  begin(run);
  finish(run, call_handler(run));
}

void Controller::hand_over(std::unique_ptr<Run> run) {
  begin(*run);
  const std::string key = run->key();
  const int worker = run->worker;
  HandlerCall call(*run);
  std::optional<Error> error;
  try {
    async_handler_(PendingRun(std::move(run)));
  } catch (...) {
    error = thrown();
  }
  if (std::unique_ptr<Run> left = call.end()) {
    left->threw = true;
    finish(*left, fail(error.value_or(PendingRun::let_go())));
  } else if (error) {
    // The run is finished, or others will finish it: its result is theirs.
    telemetry_.logger.error("the handler threw after it had passed its run on",
                            {{"queue", name_}, {"workerId", worker}, {"key", key}, *error});
    MutexLock lock(mutex_);
    ++stats_.threw;
  }
}

Result<Outcome> Controller::call_handler(Run& run) const {
  try {
    return handler_(*run.context, run.key());
  } catch (...) {
    run.threw = true;
    return fail(thrown());
  }
}

void Controller::begin(Run& run) {
  const TimePoint deadline = run_timeout_ > Duration::zero()
                                 ? saturating_add(run.item.time_started(), run_timeout_)
                                 : TimePoint::max();
  MutexLock lock(mutex_);
  std::stop_token stop = active_->begin(run.active, deadline);
  if (deadline < supervised_until_) changed_.notify_all();
  if (const auto known = retrying_.find(run.key()); known != retrying_.end()) {
    run.retrying = true;
    run.before = known->second;
  }
  if (!forgotten_early_.empty() && forgotten_early_.erase(run.key()) > 0)
    run.active.forgotten = true;
  const bool redirty = !redirtied_.empty() && redirtied_.erase(run.key()) > 0;
  stats_.handling_max = std::max(stats_.handling_max, active_->size());
  lock.unlock();

  start_span(run, redirty);
  run.logger.emplace(telemetry_.logger,
                     std::initializer_list<telemetry::Field>{{"queue", name_},
                                                             {"workerId", run.worker},
                                                             {"key", run.key()},
                                                             {"requeues", run.before.failures}});
  run.context.emplace(*run.logger, telemetry_.tracer, run.object_span,
                      Context::Run{.stop = std::move(stop),
                                   .deadline = deadline,
                                   .attempt = run.before.failures + 1,
                                   .priority = run.item.priority()});
  run.logger->debug("Got Queue object");
}

void Controller::start_span(Run& run, bool redirty) const {
  if (!run.item_span.recording()) return;
  run.item_span.set({"key", run.key()});
  const TimePoint now = clock_.now();
  const WallTime wall_now = clock_.wall_now();
  const auto time_of_day = [&](TimePoint when) { return to_rfc3339(wall_now - (now - when)); };
  run.object_span =
      telemetry_.tracer.start("handleQueueItemObject", run.item_span.context(),
                              {{"queue", name_},
                               {"workerId", run.worker},
                               {"key", run.key()},
                               {"requeues", run.before.failures},
                               {"originallyAdded", time_of_day(run.before.first_added)},
                               {"addedViaRedirty", redirty},
                               {"plannedForWork", time_of_day(run.item.time_added())}});
  if (run.before.limited_since) {
    run.object_span.set(
        {"delayedViaRateLimit", to_text(run.item.time_added() - *run.before.limited_since)});
  }
}

void Controller::finish(Run& run, const Result<Outcome>& result) {
  const Duration took = clock_.now() - run.item.time_started();
  seconds_.observe(took);
  const Counter counter = follow_up(run, result);
  run.object_span.end();
  run.item_span.end();
  MutexLock lock(mutex_);
  run.item.done();  // in one step with the next, as forget() relies on
  active_->end(run.active);
  ++(stats_.*counter);
  stats_.handling += took;
  if (run.threw) ++stats_.threw;
  if (async_handler_) {
    --reserved_;
    room_.notify_one();
  }
  if (idle()) changed_.notify_all();
}

Controller::Counter Controller::follow_up(Run& run, const Result<Outcome>& result) {
  // Where forget() is called from here on, the queue and plan() ignore what this run asks for.
  if (run.active.forgotten) return drop(run);
  return result ? succeed(run, *result) : fail_run(run, result.error());
}

Controller::Counter Controller::drop(Run& run) {
  run.logger->warn(format("forgetting {} as told to forget while in progress", quoted(run.key())));
  end_retrying(run);
  return &Stats::forgotten;
}

Controller::Counter Controller::succeed(Run& run, const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::kDone:
      end_retrying(run);
      run.logger->debug("Processed Queue item");
      return &Stats::done;
    case Outcome::Kind::kRequeue:
      if (!count(run, &Retrying::requeues_asked)) return drop(run);
      plan(run, std::nullopt, outcome.priority);
      run.logger->debug("Processed Queue item");
      return &Stats::requeued;
    case Outcome::Kind::kRequeueAfter:
      end_retrying(run);
      plan(run, outcome.delay, outcome.priority);
      run.logger->debug("Processed Queue item");
      return &Stats::requeued_after;
    case Outcome::Kind::kTerminal: break;
  }
  end_retrying(run);
  const Error error = outcome.error.value_or(Error{.message = "the handler gave no reason"});
  run.object_span.set(error);
  run.object_span.set_error(error);
  report(run, error, true);
  return &Stats::terminal;
}

Controller::Counter Controller::fail_run(Run& run, const Error& error) {
  run.object_span.set(error);
  run.object_span.set_error(error);
  const std::optional<Retrying> counts = count(run, &Retrying::failures);
  if (!counts) return drop(run);
  const int counted = queue_.num_requeues(run.key()) - counts->requeues_asked;
  const RetryDecision decision = decide(run, {.key = run.key(),
                                              .tries = counts->failures,
                                              .requeues = std::max(counted, counts->failures - 1),
                                              .first_added = counts->first_added,
                                              .error = error});
  if (!decision.retry) return give_up(run, error, decision);
  run.logger->warn(format("requeuing {} due to failed sync", quoted(run.key())),
                   {error, {"tries", counts->failures}});
  plan(run, decision.delay, decision.priority);
  return &Stats::retried;
}

RetryDecision Controller::decide(Run& run, const FailedRun& failed) const {
  if (!retry_policy_) return default_policy_(failed);
  try {
    return retry_policy_(failed);
  } catch (const std::exception& error) {
    run.logger->error("the retry policy threw", {{"error", error.what()}});
  } catch (...) {
    run.logger->error("the retry policy threw");
  }
  return default_policy_(failed);
}

Controller::Counter Controller::give_up(Run& run, const Error& error,
                                        const RetryDecision& decision) {
  end_retrying(run);
  const std::string why =
      format("forgetting {} due to {}: {}", quoted(run.key()), decision.reason, error.message);
  report(run, {.code = error.code, .message = why}, false);
  return &Stats::given_up;
}

void Controller::report(Run& run, const Error& error, bool terminal) {
  run.item_span.set_error(error);
  run.logger->error("Error processing Queue item", {error, {"terminal", terminal}});
}

std::optional<Controller::Retrying> Controller::count(Run& run, int Retrying::* what) {
  MutexLock lock(mutex_);
  if (run.active.forgotten) return std::nullopt;
  Retrying& counts =
      retrying_.try_emplace(run.key(), Retrying{.first_added = run.before.first_added})
          .first->second;
  ++(counts.*what);
  counts.limited_since = clock_.now();
  run.retrying = true;
  return counts;
}

void Controller::plan(Run& run, std::optional<Duration> delay,
                      std::optional<std::int32_t> priority) {
  const std::int32_t wanted = priority.value_or(run.item.priority());
  if (delay) {
    MutexLock lock(mutex_);
    if (!run.active.forgotten) queue_.add_after(run.key(), *delay, {.priority = wanted});
  } else if (!queue_.add_rate_limited(run.key(), {.priority = wanted})) {
    end_retrying(run);  // forgotten meanwhile, and counted by the limiter after that
  }
}

void Controller::end_retrying(const Run& run) {
  queue_.forget(run.key());
  if (!run.retrying) return;
  MutexLock lock(mutex_);
  retrying_.erase(run.key());
  if (retrying_.empty()) decltype(retrying_)().swap(retrying_);  // erasing alone keeps the table
}

}  // namespace windlass::reconcile

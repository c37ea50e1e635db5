#include "windlass/telemetry_export/span_batcher.h"

#include <algorithm>

#include "windlass/base/check.h"

namespace windlass::telemetry_export {

SpanBatcher::SpanBatcher(Clock& clock, SpanExporter& exporter, Options options,
                         telemetry::Logger& logger)
    : clock_(clock),
      exporter_(exporter),
      options_(options),
      logger_(logger),
      random_(options.jitter_seed) {
  WINDLASS_CHECK(options.batch_spans_max > 0 && options.attempts_max > 0);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

SpanBatcher::~SpanBatcher() { shut_down(clock_.now()); }

void SpanBatcher::on_end(telemetry::SpanData span) {
  MutexLock lock(mutex_);
  if (shutting_down_ || stats_.waiting >= options_.queue_spans_max) {
    ++stats_.dropped_full;
    return;
  }
  waiting_.push_back(std::move(span));
  ++stats_.waiting;
  const bool wakes = waiting_.size() == 1 || waiting_.size() == options_.batch_spans_max;
  lock.unlock();
  if (wakes) changed_.notify_all();
}

void SpanBatcher::shut_down(TimePoint deadline) {
  MutexLock lock(mutex_);
  shutting_down_ = true;
  changed_.notify_all();
  clock_.wait_until(mutex_, changed_, deadline, {}, [&] {
    mutex_.assert_held();
    return finished_;
  });
  lock.unlock();
  thread_.request_stop();
  lock.lock();
  clock_.wait(mutex_, changed_, {}, [&] {
    mutex_.assert_held();
    return finished_;
  });
}

SpanBatcher::Stats SpanBatcher::stats() const {
  MutexLock lock(mutex_);
  return stats_;
}

void SpanBatcher::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const Batch batch = next_batch(stop);
    if (batch.empty()) break;
    send(batch, stop);
  }
  MutexLock lock(mutex_);
  shutting_down_ = true;
  stats_.dropped_failed += waiting_.size();
  stats_.waiting -= waiting_.size();
  waiting_.clear();
  finished_ = true;
  changed_.notify_all();
}

SpanBatcher::Batch SpanBatcher::next_batch(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  clock_.wait(mutex_, changed_, stop, [&] {
    mutex_.assert_held();
    return !waiting_.empty() || shutting_down_;
  });
  clock_.wait_until(mutex_, changed_, saturating_add(clock_.now(), options_.batch_delay), stop,
                    [&] {
                      mutex_.assert_held();
                      return waiting_.size() >= options_.batch_spans_max || shutting_down_;
                    });
  if (stop.stop_requested()) return {};
  const auto count =
      static_cast<std::ptrdiff_t>(std::min(waiting_.size(), options_.batch_spans_max));
  Batch batch(std::move_iterator(waiting_.begin()), std::move_iterator(waiting_.begin() + count));
  waiting_.erase(waiting_.begin(), waiting_.begin() + count);
  return batch;
}

void SpanBatcher::send(const Batch& batch, const std::stop_token& stop) {
  const TimePoint deadline = saturating_add(clock_.now(), options_.export_timeout);
  const auto attempt_once = [&] {
    return exporter_.export_spans(batch, deadline - clock_.now(), stop);
  };
  Result<std::size_t> result = attempt_once();
  for (int attempt = 1; !result && pause(result.error(), attempt, deadline, stop); ++attempt)
    result = attempt_once();
  const std::size_t refused = result ? std::min(*result, batch.size()) : batch.size();
  {
    MutexLock lock(mutex_);
    stats_.exported += batch.size() - refused;
    stats_.dropped_failed += refused;
    stats_.waiting -= batch.size();
  }
  report(result, batch.size());
}

bool SpanBatcher::pause(const Error& error, int attempt, TimePoint deadline,
                        const std::stop_token& stop) {
  if (!is_retryable(error.code) || attempt >= options_.attempts_max) return false;
  const Duration backoff = options_.retry_delay * (std::int64_t{1} << std::min(attempt - 1, 20));
  const Duration delay =
      error.retry_after.value_or(Duration::zero()) + backoff / 2 + random_.up_to(backoff / 2);
  const TimePoint next = saturating_add(clock_.now(), delay);
  if (next >= deadline) return false;
  MutexLock lock(mutex_);
  const bool ending = clock_.wait_until(mutex_, changed_, next, stop, [&] {
    mutex_.assert_held();
    return shutting_down_;
  });
  return !ending && !stop.stop_requested();
}

// One line when sending begins to fail and one when it works again: a receiver that stays away
// must not fill the log.
void SpanBatcher::report(const Result<std::size_t>& result, std::size_t spans) {
  if (!result && !failing_ && result.error().code != ErrorCode::kCancelled) {
    logger_.warn("spans are dropped: they cannot be sent", {{"spans", spans}, result.error()});
    failing_ = true;
  } else if (result && failing_) {
    logger_.info("spans can be sent again");
    failing_ = false;
  }
}

}  // namespace windlass::telemetry_export

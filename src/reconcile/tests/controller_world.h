// ControllerWorld: a Controller that runs, a clock the test moves, and a record of what was
// handled.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "windlass/base/mutex.h"
#include "windlass/base/testing/fake_clock.h"
#include "windlass/reconcile/controller.h"
#include "windlass/telemetry/metrics.h"
#include "windlass/telemetry/testing/recording_logger.h"
#include "windlass/telemetry/testing/recording_spans.h"
#include "windlass/telemetry/tracer.h"
#include "windlass/workqueue/exponential_backoff.h"

namespace windlass::reconcile {

using Keys = std::vector<std::string>;

inline Error some_error(std::string message = "try again") {
  return {.code = ErrorCode::kUnavailable, .message = std::move(message)};
}

// Counts as client-go's limiter does, and never makes anybody wait.
inline Options without_waiting() {
  Options options;
  options.limiter = std::make_unique<workqueue::ExponentialBackoff<std::string>>(
      workqueue::ExponentialBackoffOptions{.base = {}, .max = {}});
  return options;
}

// Waits 1 s, 2 s, 4 s, ...
inline Options with_seconds() {
  Options options;
  options.limiter = std::make_unique<workqueue::ExponentialBackoff<std::string>>(
      workqueue::ExponentialBackoffOptions{.base = std::chrono::seconds(1),
                                           .max = std::chrono::seconds(1000)});
  return options;
}

class ControllerWorld {
 public:
  explicit ControllerWorld(Options options = without_waiting(), Handler handler = nullptr)
      : handler_(std::move(handler)),
        controller_(
            clock_, "pods", std::move(options),
            [this](Context& context, const std::string& key) { return handle(context, key); },
            {.logger = logger_, .tracer = tracer_, .metrics = metrics_}) {}

  ~ControllerWorld() { stop(); }

  void start(int workers = 1) {
    runner_ = std::jthread([this, workers](const std::stop_token& stop) {
      const Result<StopReport> ended = controller_.run(stop, workers);
      MutexLock lock(mutex_);
      ended_well_ = ended.has_value();
      if (ended) report_ = *ended;
    });
  }
  void stop() {
    runner_.request_stop();
    if (runner_.joinable()) runner_.join();
  }

  // The keys handled since the beginning, once there are `count`.
  Keys await_handled(std::size_t count) {
    MutexLock lock(mutex_);
    system_clock().wait(mutex_, changed_, {}, [&] {
      mutex_.assert_held();
      return handled_.size() >= count;
    });
    return handled_;
  }
  // The same, once all workers sleep without a key; `workers` as given to start().
  Keys await_idle(std::size_t count, std::size_t workers = 1) {
    await_handled(count);
    await_workers(workers);
    return await_handled(count);
  }

  // Blocks until the workers, and run() itself, sleep.
  void await_workers(std::size_t workers) { clock_.await_sleepers(workers + 1); }

  Controller& controller() { return controller_; }
  FakeClock& clock() { return clock_; }
  telemetry::RecordingLogger& logger() { return logger_; }
  const telemetry::RecordingSpans& spans() const { return spans_; }
  const telemetry::Metrics& metrics() const { return metrics_; }
  bool ended_well() const {
    MutexLock lock(mutex_);
    return ended_well_;
  }
  // Of the last run that ended.
  StopReport report() const {
    MutexLock lock(mutex_);
    return report_;
  }

 private:
  Result<Outcome> handle(Context& context, const std::string& key) {
    {
      MutexLock lock(mutex_);
      handled_.push_back(key);
      changed_.notify_all();
    }
    return handler_ ? handler_(context, key) : Outcome::done();
  }

  FakeClock clock_;
  telemetry::RecordingLogger logger_;
  telemetry::RecordingSpans spans_;
  telemetry::Tracer tracer_{clock_, spans_, {.id_seed = 1}};
  telemetry::Metrics metrics_;
  const Handler handler_;
  Controller controller_;

  mutable Mutex mutex_;
  CondVar changed_;
  Keys handled_ GUARDED_BY(mutex_);
  bool ended_well_ GUARDED_BY(mutex_) = false;
  StopReport report_ GUARDED_BY(mutex_);

  std::jthread runner_;
};

}  // namespace windlass::reconcile

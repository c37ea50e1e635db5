// SpanBatcher: keeps ended spans and has them sent in batches, by a thread of its own.
//
// Whoever ends a span never waits: when the receiver is slow or gone, spans wait up to the bound,
// and those beyond it are dropped and counted.
//
// Thread safety: all members may be called from any thread. Lifetime: clock, exporter and logger
// outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/random.h"
#include "windlass/telemetry/logger.h"
#include "windlass/telemetry/tracer.h"
#include "windlass/telemetry_export/span_exporter.h"

namespace windlass::telemetry_export {

// Invariant: every span that came in is waiting, being sent, or counted in exactly one of
// `exported`, `dropped_full` and `dropped_failed`.
class SpanBatcher final : public telemetry::SpanSink {
 public:
  struct Options {
    std::size_t queue_spans_max = 2048;
    std::size_t batch_spans_max = 512;
    Duration batch_delay = std::chrono::seconds(5);      // a batch that is not full waits so long
    Duration export_timeout = std::chrono::seconds(30);  // of a batch, with all its attempts
    int attempts_max = 5;                                // per batch
    Duration retry_delay = std::chrono::seconds(1);      // doubled after each attempt, with jitter
    std::uint64_t jitter_seed = 0;
  };
  struct Stats {
    std::uint64_t exported = 0;
    std::uint64_t dropped_full = 0;    // no room, or after shut_down()
    std::uint64_t dropped_failed = 0;  // not taken by the receiver, or not in time
    std::size_t waiting = 0;           // being sent included
  };

  SpanBatcher(Clock& clock, SpanExporter& exporter, Options options, telemetry::Logger& logger);
  SpanBatcher(const SpanBatcher&) = delete;
  SpanBatcher& operator=(const SpanBatcher&) = delete;

  // As shut_down() with no time left.
  ~SpanBatcher() override;

  void on_end(telemetry::SpanData span) override EXCLUDES(mutex_);

  // Sends what waits, each batch once, until `deadline`; what is left then is dropped. Spans that
  // come later are dropped. Later calls do nothing but wait likewise.
  void shut_down(TimePoint deadline) EXCLUDES(mutex_);

  Stats stats() const EXCLUDES(mutex_);

 private:
  using Batch = std::vector<telemetry::SpanData>;

  void run(const std::stop_token& stop) EXCLUDES(mutex_);
  Batch next_batch(const std::stop_token& stop) EXCLUDES(mutex_);
  void send(const Batch& batch, const std::stop_token& stop) EXCLUDES(mutex_);
  // False when it is time to give the batch up.
  bool pause(const Error& error, int attempt, TimePoint deadline, const std::stop_token& stop)
      EXCLUDES(mutex_);
  void report(const Result<std::size_t>& result, std::size_t spans);

  Clock& clock_;
  SpanExporter& exporter_;
  const Options options_;
  telemetry::Logger& logger_;

  Random random_;         // used by the thread only
  bool failing_ = false;  // used by the thread only: the last batch failed, and that was logged

  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<telemetry::SpanData> waiting_ GUARDED_BY(mutex_);
  Stats stats_ GUARDED_BY(mutex_);
  bool shutting_down_ GUARDED_BY(mutex_) = false;
  bool finished_ GUARDED_BY(mutex_) = false;

  std::jthread thread_;
};

}  // namespace windlass::telemetry_export

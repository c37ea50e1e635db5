// QueueStats: what a queue has done and holds, at one moment.
//
// The gauges are read from the queue's sizes, never counted up and down by events, so they cannot
// drift or become negative. queue_metrics() gives them the names that dashboards for client-go
// know; docs in each field say which.
//
// Thread safety: values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "windlass/base/time.h"

namespace windlass::workqueue {

// Counts durations by decades: up to 10 ns, 100 ns, ... 1000 s, and longer.
struct DurationHistogram {
  static constexpr std::size_t kBounds = 12;

  // The inclusive upper bound of a bucket; the bucket after the last has none.
  static constexpr Duration bound(std::size_t bucket) {
    Duration::rep bound = 10;
    for (; bucket > 0; --bucket) bound *= 10;
    return Duration(bound);
  }

  void observe(Duration duration);
  std::uint64_t count() const;

  std::array<std::uint64_t, kBounds + 1> buckets{};  // not cumulative
  Duration sum{};

  friend bool operator==(const DurationHistogram&, const DurationHistogram&) = default;
};

struct QueueStats {
  // Gauges.
  std::size_t ready = 0;       // len()
  std::size_t delayed = 0;     // delayed_len()
  std::size_t running = 0;     // running_len()
  std::size_t rerun = 0;       // of those running, how many are to run again
  Duration unfinished_work{};  // the running keys' times so far, added up
  Duration longest_running{};

  // Counters since the queue was made.
  std::uint64_t adds = 0;     // keys that became ready or were marked to run again
  std::uint64_t retries = 0;  // add_after() and add_rate_limited() calls taken in
  std::uint64_t dropped = 0;  // delayed keys dropped by shutting down

  DurationHistogram queue_duration;  // from becoming ready to being taken
  DurationHistogram work_duration;   // from being taken to done

  std::size_t depth() const { return ready + rerun; }  // client-go's depth counts both

  friend bool operator==(const QueueStats&, const QueueStats&) = default;
};

// One of the metrics. Durations are in seconds, as the names say.
struct QueueMetric {
  enum class Kind { kGauge, kCounter, kHistogram };

  std::string_view name;
  std::string_view help;
  Kind kind;
  std::variant<double, const DurationHistogram*> value;
};

// client-go's seven (workqueue_depth, _adds_total, _queue_duration_seconds, _work_duration_seconds,
// _unfinished_work_seconds, _longest_running_processor_seconds, _retries_total) and three of ours
// (workqueue_delayed, _running, _dropped_total). Points into `stats`.
std::vector<QueueMetric> queue_metrics(const QueueStats& stats);

}  // namespace windlass::workqueue

#include "windlass/workqueue/queue_stats.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <numeric>

#include "windlass/base/time.h"

namespace windlass::workqueue {
namespace {

constexpr auto kUpperBounds = [] {
  std::array<std::uint64_t, DurationHistogram::kBounds> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    bounds[i] = static_cast<std::uint64_t>(DurationHistogram::bound(i).count());
  }
  return bounds;
}();

// The number of bounds below `value`: guessed from its length in bits, at most one too small.
std::size_t bucket_of(std::uint64_t value) {
  const auto bits = static_cast<std::size_t>(std::bit_width(value));
  const std::size_t guess = bits * 1233 / 4096;  // bits * log10(2)
  if (guess == 0) return 0;
  if (guess > DurationHistogram::kBounds) return DurationHistogram::kBounds;
  return value > kUpperBounds[guess - 1] ? guess : guess - 1;
}

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

void DurationHistogram::observe(Duration duration) {
  duration = std::max(duration, Duration::zero());
  ++buckets[bucket_of(static_cast<std::uint64_t>(duration.count()))];
  sum = duration > Duration::max() - sum ? Duration::max() : sum + duration;
}

std::uint64_t DurationHistogram::count() const {
  return std::accumulate(buckets.begin(), buckets.end(), std::uint64_t{0});
}

std::vector<QueueMetric> queue_metrics(const QueueStats& stats) {
  using enum QueueMetric::Kind;
  const auto number = [](auto value) { return static_cast<double>(value); };
  return {
      {"workqueue_depth", "Keys ready or marked to run again.", kGauge, number(stats.depth())},
      {"workqueue_adds_total", "Adds that were not merged.", kCounter, number(stats.adds)},
      {"workqueue_queue_duration_seconds", "Time a key waited before it was taken.", kHistogram,
       &stats.queue_duration},
      {"workqueue_work_duration_seconds", "Time from taking a key to its end.", kHistogram,
       &stats.work_duration},
      {"workqueue_unfinished_work_seconds", "Time spent on running keys so far, added up.", kGauge,
       seconds(stats.unfinished_work)},
      {"workqueue_longest_running_processor_seconds", "Time the longest run has taken so far.",
       kGauge, seconds(stats.longest_running)},
      {"workqueue_retries_total", "Delayed and rate-limited adds.", kCounter,
       number(stats.retries)},
      {"workqueue_delayed", "Keys waiting for their time.", kGauge, number(stats.delayed)},
      {"workqueue_running", "Keys held by workers.", kGauge, number(stats.running)},
      {"workqueue_dropped_total", "Delayed keys dropped by shutting down.", kCounter,
       number(stats.dropped)},
  };
}

}  // namespace windlass::workqueue

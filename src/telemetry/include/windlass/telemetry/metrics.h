// Metrics: a registry of counters, gauges and histograms, read as a whole by whoever exports them.
//
// Names and units are Prometheus': base units, counters end in _total. A name has one kind, one
// help text and the same label names everywhere. Values that exist already elsewhere are not
// counted twice: a callback gives them when somebody reads.
//
// Thread safety: all members may be called from any thread. Lifetime: handles and registrations
// may outlive it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/mutex.h"
#include "windlass/telemetry/instruments.h"
#include "windlass/telemetry/metric_family.h"
#include "windlass/telemetry/metric_writer.h"

namespace windlass::telemetry {

// Upper bounds in seconds for what takes from a millisecond to a minute.
std::span<const double> default_seconds_buckets();

// Invariant: a name has at most `series_per_metric_max` series and, when more were asked for, one
// whose labels all have the value kOverflowLabelValue and which counts for the rest.
class Metrics {
 public:
  using Collect = std::function<void(MetricWriter&)>;
  struct Options {
    std::size_t series_per_metric_max = 1000;
  };

  // Keeps a callback registered. Its destructor waits for calls that are going on; the callback
  // itself must not destroy it.
  class Registration;

  Metrics() : Metrics(Options{}) {}
  explicit Metrics(Options options);
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  bool enabled() const { return options_.series_per_metric_max > 0; }

  // The series of these labels, made if it is new. Aborts when `name` or a label's name is not one
  // or `name` has another kind: that is a mistake in code. Values of labels may be any text; see
  // MetricWriter for when they are the same.
  Counter counter(std::string_view name, std::string_view help, const Labels& labels = {});
  Gauge gauge(std::string_view name, std::string_view help, const Labels& labels = {});
  // `bounds` rise; the first series of a name decides for all.
  Histogram histogram(std::string_view name, std::string_view help, std::span<const double> bounds,
                      const Labels& labels = {});

  // `collect` is called whenever somebody reads, on their thread, by several at once, under no lock
  // of this class; it must be quick and not throw.
  [[nodiscard]] Registration on_collect(Collect collect) EXCLUDES(mutex_);

  // Everything there is now, by name; series by labels.
  std::vector<MetricFamily> collect() const EXCLUDES(mutex_);

 private:
  struct Source;
  struct Family;

  template <class Cell>
  Cell cell(std::string_view name, std::string_view help, MetricKind kind, const Labels& labels,
            std::span<const double> bounds) EXCLUDES(mutex_);
  void collect_own(MetricWriter& writer) const EXCLUDES(mutex_);

  const Options options_;

  mutable Mutex mutex_;
  std::map<std::string, std::unique_ptr<Family>, std::less<>> families_ GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Source>> sources_ GUARDED_BY(mutex_);
};

class [[nodiscard]] Metrics::Registration {
 public:
  Registration() = default;
  Registration(Registration&& other) noexcept = default;
  Registration& operator=(Registration&& other) noexcept;
  ~Registration() { reset(); }

  void reset();

 private:
  friend class Metrics;
  explicit Registration(std::shared_ptr<Source> source) : source_(std::move(source)) {}

  std::shared_ptr<Source> source_;
};

// Counts nothing: its handles are empty, its callbacks are never called.
Metrics& null_metrics();

}  // namespace windlass::telemetry

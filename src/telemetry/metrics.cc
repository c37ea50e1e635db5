#include "windlass/telemetry/metrics.h"

#include <algorithm>
#include <variant>

#include "windlass/base/check.h"

namespace windlass::telemetry {
namespace {

using Cell = std::variant<Counter::Cell, Gauge::Cell, Histogram::Cell>;

bool rises(std::span<const double> bounds) {
  return std::ranges::adjacent_find(bounds, std::greater_equal<>{}) == bounds.end();
}

HistogramValue value_of(const detail::HistogramCell& cell) {
  HistogramValue value{cell.bounds, {}, cell.sum.load(std::memory_order_relaxed)};
  for (const auto& count : cell.counts)
    value.counts.push_back(count.load(std::memory_order_relaxed));
  return value;
}

}  // namespace

// A callback, and who is calling it.
struct Metrics::Source {
  static constexpr std::uint32_t kRemoved = 1U << 31U;

  bool enter() {
    std::uint32_t seen = state.load();
    while ((seen & kRemoved) == 0) {
      if (state.compare_exchange_weak(seen, seen + 1)) return true;
    }
    return false;
  }
  void leave() {
    state.fetch_sub(1);
    state.notify_all();
  }
  void remove() {
    std::uint32_t seen = state.fetch_or(kRemoved) | kRemoved;
    while (seen != kRemoved) {
      state.wait(seen);
      seen = state.load();
    }
    collect = nullptr;
  }

  Collect collect;
  std::atomic<std::uint32_t> state = 0;  // calls going on, and kRemoved
};

struct Metrics::Family {
  std::string help;
  MetricKind kind;
  std::vector<double> bounds;
  std::map<Labels, Cell> series;
};

Metrics::Metrics(Options options) : options_(options) {}
Metrics::~Metrics() = default;

template <class Wanted>
Wanted Metrics::cell(std::string_view name, std::string_view help, MetricKind kind,
                     const Labels& labels, std::span<const double> bounds) {
  if (!enabled()) return nullptr;
  WINDLASS_CHECK(is_metric_name(name) && rises(bounds));
  MutexLock lock(mutex_);
  auto found = families_.find(name);
  if (found == families_.end()) {
    auto made = std::make_unique<Family>(std::string(help), kind,
                                         std::vector<double>(bounds.begin(), bounds.end()));
    found = families_.emplace(name, std::move(made)).first;
  }
  Family& family = *found->second;
  WINDLASS_CHECK(family.kind == kind);
  Labels key = canonical(labels);
  if (family.series.size() >= options_.series_per_metric_max && !family.series.contains(key)) {
    for (auto& [label, text] : key) text = kOverflowLabelValue;
  }
  const auto [series, is_new] = family.series.try_emplace(std::move(key), Wanted());
  if (is_new) {
    using Value = typename Wanted::element_type;
    for (const auto& [label, text] : labels) WINDLASS_CHECK(is_label_name(label));
    if constexpr (std::is_same_v<Wanted, Histogram::Cell>) {
      series->second = std::make_shared<Value>(family.bounds);
    } else {
      series->second = std::make_shared<Value>();
    }
  }
  return std::get<Wanted>(series->second);
}

Counter Metrics::counter(std::string_view name, std::string_view help, const Labels& labels) {
  return Counter(cell<Counter::Cell>(name, help, MetricKind::kCounter, labels, {}));
}

Gauge Metrics::gauge(std::string_view name, std::string_view help, const Labels& labels) {
  return Gauge(cell<Gauge::Cell>(name, help, MetricKind::kGauge, labels, {}));
}

Histogram Metrics::histogram(std::string_view name, std::string_view help,
                             std::span<const double> bounds, const Labels& labels) {
  return Histogram(cell<Histogram::Cell>(name, help, MetricKind::kHistogram, labels, bounds));
}

Metrics::Registration Metrics::on_collect(Collect collect) {
  if (!enabled()) return {};
  auto source = std::make_shared<Source>(std::move(collect));
  MutexLock lock(mutex_);
  std::erase_if(sources_, [](const std::weak_ptr<Source>& old) { return old.expired(); });
  sources_.push_back(source);
  return Registration(std::move(source));
}

void Metrics::collect_own(MetricWriter& writer) const {
  MutexLock lock(mutex_);
  for (const auto& [name, family] : families_) {
    for (const auto& [labels, cell] : family->series) {
      if (const auto* counter = std::get_if<Counter::Cell>(&cell)) {
        writer.counter(name, family->help, labels, static_cast<double>((*counter)->load()));
      } else if (const auto* gauge = std::get_if<Gauge::Cell>(&cell)) {
        writer.gauge(name, family->help, labels, (*gauge)->load());
      } else {
        writer.histogram(name, family->help, labels, value_of(*std::get<Histogram::Cell>(cell)));
      }
    }
  }
}

std::vector<MetricFamily> Metrics::collect() const {
  MetricWriter writer(options_.series_per_metric_max);
  collect_own(writer);
  std::vector<std::weak_ptr<Source>> sources;
  {
    MutexLock lock(mutex_);
    sources = sources_;
  }
  for (const std::weak_ptr<Source>& weak : sources) {
    const std::shared_ptr<Source> source = weak.lock();
    if (!source || !source->enter()) continue;
    source->collect(writer);
    source->leave();
  }
  return writer.take();
}

Metrics::Registration& Metrics::Registration::operator=(Registration&& other) noexcept {
  if (this != &other) {
    reset();
    source_ = std::move(other.source_);
  }
  return *this;
}

void Metrics::Registration::reset() {
  if (source_) source_->remove();
  source_.reset();
}

std::span<const double> default_seconds_buckets() {
  static constexpr double kBounds[] = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                       0.5,   1,      2.5,   5,    10,    30,   60};
  return kBounds;
}

Metrics& null_metrics() {
  static Metrics metrics(Metrics::Options{.series_per_metric_max = 0});
  return metrics;
}

}  // namespace windlass::telemetry

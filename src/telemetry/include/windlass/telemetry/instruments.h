// Counter, Gauge and Histogram: what a module counts with. Made by Metrics (metrics.h).
//
// Handles: copies count on the same series. A default-made one counts nothing, for the price of a
// branch.
//
// Thread safety: all members may be called from any thread; they take no lock. Lifetime: a handle
// may outlive its Metrics.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "windlass/base/time.h"

namespace windlass::telemetry {

namespace detail {
struct HistogramCell {
  explicit HistogramCell(std::vector<double> upper_bounds);

  const std::vector<double> bounds;
  std::vector<std::atomic<std::uint64_t>> counts;  // one more than `bounds`
  std::atomic<double> sum = 0;
};
}  // namespace detail

// Only rises.
class Counter {
 public:
  using Cell = std::shared_ptr<std::atomic<std::uint64_t>>;

  Counter() = default;
  explicit Counter(Cell cell) : cell_(std::move(cell)) {}

  void add(std::uint64_t by = 1) const {
    if (cell_) cell_->fetch_add(by, std::memory_order_relaxed);
  }

 private:
  Cell cell_;
};

class Gauge {
 public:
  using Cell = std::shared_ptr<std::atomic<double>>;

  Gauge() = default;
  explicit Gauge(Cell cell) : cell_(std::move(cell)) {}

  void set(double value) const {
    if (cell_) cell_->store(value, std::memory_order_relaxed);
  }
  void add(double by) const {
    if (cell_) cell_->fetch_add(by, std::memory_order_relaxed);
  }

 private:
  Cell cell_;
};

class Histogram {
 public:
  using Cell = std::shared_ptr<detail::HistogramCell>;

  Histogram() = default;
  explicit Histogram(Cell cell) : cell_(std::move(cell)) {}

  void observe(double value) const {
    if (cell_) record(value);
  }
  // In seconds.
  void observe(Duration duration) const {
    if (cell_) record(std::chrono::duration<double>(duration).count());
  }

 private:
  void record(double value) const;

  Cell cell_;
};

}  // namespace windlass::telemetry

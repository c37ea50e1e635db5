#include "windlass/telemetry/instruments.h"

#include <algorithm>

namespace windlass::telemetry {

detail::HistogramCell::HistogramCell(std::vector<double> upper_bounds)
    : bounds(std::move(upper_bounds)), counts(bounds.size() + 1) {}

void Histogram::record(double value) const {
  const auto bucket = std::ranges::lower_bound(cell_->bounds, value) - cell_->bounds.begin();
  cell_->counts[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
  cell_->sum.fetch_add(value, std::memory_order_relaxed);
}

}  // namespace windlass::telemetry

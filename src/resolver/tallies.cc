#include "tallies.h"

#include <algorithm>

#include "windlass/telemetry/metric_writer.h"
#include "windlass/telemetry/metrics.h"

namespace windlass::resolver {

RegistryTally::RegistryTally() {
  const auto bounds = telemetry::default_seconds_buckets();
  seconds.bounds.assign(bounds.begin(), bounds.end());
  seconds.counts.resize(bounds.size() + 1);
}

void RegistryTally::end(Duration took, const Error* error) {
  if (error != nullptr) {
    ++failed.at(static_cast<std::size_t>(error->code));
  } else {
    ++found;
  }
  const double value = std::chrono::duration<double>(took).count();
  const auto bucket = std::ranges::lower_bound(seconds.bounds, value);
  ++seconds.counts[static_cast<std::size_t>(bucket - seconds.bounds.begin())];
  seconds.sum += value;
}

RegistryTally& Tallies::of(const std::string& host) {
  const auto found = registries_.find(host);
  if (found != registries_.end()) return found->second;
  if (registries_.size() < kRegistriesMax) return registries_[host];
  return registries_[std::string(telemetry::kOverflowLabelValue)];
}

}  // namespace windlass::resolver

// Reading single values out of Metrics, for tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "windlass/telemetry/metrics.h"

namespace windlass::telemetry {

// What a counter or gauge is worth; nothing when there is no such series. Labels in the order in
// which they were given.
std::optional<double> metric_value(const Metrics& metrics, std::string_view name,
                                   const Labels& labels = {});

std::optional<HistogramValue> histogram_value(const Metrics& metrics, std::string_view name,
                                              const Labels& labels = {});

// All observations of a histogram, 0 when there is no such series.
std::uint64_t observations(const Metrics& metrics, std::string_view name,
                           const Labels& labels = {});

}  // namespace windlass::telemetry

// Durations as people write them in options.
//
// Pure function.
#pragma once

#include <optional>
#include <string_view>

#include "windlass/base/time.h"

namespace windlass::app {

// "500ms", "30s", "2m", "1h", or seconds as a plain number. nullopt for anything else, and for what
// is not above zero.
std::optional<Duration> parse_duration(std::string_view text);

}  // namespace windlass::app

// The results of a KRM function, and where they go in its output.
//
// Pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pin_report.h"
#include "windlass/base/result.h"
#include "yaml_value.h"

namespace windlass::app {

// `list` with its results: an info for each image that got a digest, an error for each that failed;
// results that it has already stay. `resources` is the parsed list. kInvalid when something else
// than a list stands where they go.
Result<std::string> with_results(const std::string& list, const YamlValue& resources,
                                 std::span<const PinnedImage> images);

}  // namespace windlass::app

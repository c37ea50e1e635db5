// The endings of names of files that hold YAML or JSON, in lower case: pass a name in lower case
// where any case counts.
//
// Pure functions.
#pragma once

#include <string_view>

namespace windlass::manifest {

inline bool has_yaml_ending(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

inline bool has_data_ending(std::string_view name) {
  return has_yaml_ending(name) || name.ends_with(".json");
}

}  // namespace windlass::manifest

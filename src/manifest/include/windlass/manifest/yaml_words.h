// What is wrong with a YAML file, in words that say what its writer has to change.
//
// Pure function.
#pragma once

#include <string_view>

namespace windlass::manifest {

// `problem` is what libyaml says; it comes back when there are no better words for it.
std::string_view yaml_problem_in_words(std::string_view problem);

}  // namespace windlass::manifest

// Tells a Go template, such as one of a Helm chart, from YAML.
//
// A template may well parse as YAML and mean something else: {{ x }} is a mapping in a mapping.
//
// Pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "tree.h"

namespace windlass::manifest {

// The byte of the first "{{" that stands where a YAML value begins, or inside quotes that it
// breaks. For text that did not parse.
std::optional<std::size_t> find_template_in_text(std::string_view bytes);

// The byte of the first mapping in a mapping that is written "{{".
std::optional<std::size_t> find_template_in_tree(const Tree& tree);

}  // namespace windlass::manifest

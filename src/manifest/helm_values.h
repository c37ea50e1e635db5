// Finds the images of a Helm chart's values: repository and tag (or version, or digest) side by
// side, and keys "image" with a whole reference.
#pragma once

#include <string_view>

#include "collector.h"
#include "tree.h"

namespace windlass::manifest {

// All that stand below `values`, which belong to `object`.
void find_in_helm_values(const Tree& tree, NodeId values, std::string_view object,
                         Collector& collector);

}  // namespace windlass::manifest

// Finds the images of a Helm chart's values: repository and tag (or version, or digest) side by
// side, and keys "image" with a whole reference.
#pragma once

#include "collector.h"
#include "tree.h"

namespace windlass::manifest {

void find_in_helm_values(const Tree& tree, Collector& collector);

}  // namespace windlass::manifest

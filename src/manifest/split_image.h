// A mapping that names an image in parts: registry, repository, tag or version, digest.
#pragma once

#include "collector.h"
#include "tree.h"

namespace windlass::manifest {

// True when it has a repository that is no URL, as a chart's dependency has.
bool is_split_image(const Tree& tree, NodeId mapping);

void add_split_image(const Tree& tree, NodeId mapping, const ImageContext& context,
                     Collector& collector);

}  // namespace windlass::manifest

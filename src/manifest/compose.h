// Finds the images of compose files: services, image volumes, and extensions (x-) that services
// merge. Images that are built here are left alone.
#pragma once

#include "collector.h"
#include "path_pattern.h"
#include "tree.h"

namespace windlass::manifest {

// True for a mapping with services that are mappings.
bool is_compose_file(const Tree& tree, NodeId root);

void find_in_compose(const Tree& tree, VisitBudget& budget, Collector& collector);

}  // namespace windlass::manifest

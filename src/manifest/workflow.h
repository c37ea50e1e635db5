// Finds the images of GitHub workflows (job containers, services, docker:// steps) and of container
// actions.
#pragma once

#include "collector.h"
#include "path_pattern.h"
#include "tree.h"

namespace windlass::manifest {

// True for a mapping with jobs and triggers.
bool is_workflow(const Tree& tree, NodeId root);

void find_in_workflow(const Tree& tree, VisitBudget& budget, Collector& collector);

}  // namespace windlass::manifest

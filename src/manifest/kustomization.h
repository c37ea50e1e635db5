// Finds the images that a kustomization sets: the images: of kustomize and of Flux.
//
// The digest goes under the key "digest" where it is written, else behind newTag.
#pragma once

#include "collector.h"
#include "path_pattern.h"
#include "tree.h"

namespace windlass::manifest {

bool is_kustomization(const Tree& tree, NodeId object);

void find_in_kustomization(const Tree& tree, VisitBudget& budget, Collector& collector);

}  // namespace windlass::manifest

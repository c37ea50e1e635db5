// Finds the images that a kustomization sets: the images: of kustomize and of Flux.
//
// The digest goes under the key "digest" where it is written, else behind newTag.
#pragma once

#include "collector.h"
#include "path_pattern.h"
#include "tree.h"

namespace windlass::manifest {

bool is_kustomization(const Tree& tree, NodeId object);

// One entry of such a list: name, newName, newTag and digest.
void add_kustomize_image(const Tree& tree, NodeId entry, const ImageContext& context,
                         Collector& collector);

// The same as the command line of kustomize takes it: name=newName:newTag@digest.
void add_kustomize_option(const Tree& tree, NodeId value, const ImageContext& context,
                          Collector& collector);

void find_in_kustomization(const Tree& tree, VisitBudget& budget, Collector& collector);

}  // namespace windlass::manifest

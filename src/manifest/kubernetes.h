// Finds the images of Kubernetes objects: by kind where the kind is known, else by the shape of a
// pod's spec. Lists are entered, however deep.
#pragma once

#include <span>

#include "collector.h"
#include "path_pattern.h"
#include "tree.h"
#include "windlass/manifest/rules.h"

namespace windlass::manifest {

// True when `object` has apiVersion and kind.
bool is_kubernetes_object(const Tree& tree, NodeId object);

// True for a sequence that holds such an object, as generators of manifests write it.
bool is_list_of_objects(const Tree& tree, NodeId list);

struct KubernetesOptions {
  std::span<const PathRule> rules;  // the user's; they come before everything else
  bool identify_objects = false;    // as Manifest::Options has it
};

// In an object, or in each object of a sequence.
void find_in_kubernetes(const Tree& tree, NodeId object, const KubernetesOptions& options,
                        VisitBudget& budget, Collector& collector);

}  // namespace windlass::manifest

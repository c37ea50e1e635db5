#include "kustomization.h"

namespace windlass::manifest {

bool is_kustomization(const Tree& tree, NodeId object) {
  const std::string_view kind = tree.text_at(object, "kind");
  return tree.text_at(object, "apiVersion").starts_with("kustomize.") &&
         (kind == "Kustomization" || kind == "Component");
}

void find_in_kustomization(const Tree& tree, VisitBudget& budget, Collector& collector) {
  for (const std::string_view pattern : {"images[*]", "spec.images[*]"}) {
    for_each_match(tree, tree.root(), kNoNode, pattern, budget, [&](const Match& entry) {
      const std::string_view name = tree.text_at(entry.value, "name");
      NodeId name_node = tree.find(entry.value, "newName");
      if (tree.text_of_scalar(name_node).empty()) name_node = tree.find(entry.value, "name");
      if (!tree.is_scalar(name_node)) return;
      collector.add_split(
          {.name = std::string(tree.text_of_scalar(name_node)),
           .name_node = name_node,
           .tag = tree.find(entry.value, "newTag"),
           .digest = tree.find(entry.value, "digest"),
           .reason_without = "no tag here: the resources have it"},
          {.object = "kustomization", .container = name, .rule = "kustomization: images[*]"});
    });
  }
}

}  // namespace windlass::manifest

#include "kustomization.h"

namespace windlass::manifest {

bool is_kustomization(const Tree& tree, NodeId object) {
  const std::string_view kind = tree.text_at(object, "kind");
  return tree.text_at(object, "apiVersion").starts_with("kustomize.") &&
         (kind == "Kustomization" || kind == "Component");
}

void add_kustomize_image(const Tree& tree, NodeId entry, const ImageContext& context,
                         Collector& collector) {
  NodeId name_node = tree.find(entry, "newName");
  if (tree.text_of_scalar(name_node).empty()) name_node = tree.find(entry, "name");
  if (name_node == kNoNode) return;
  collector.add_split(
      {.name = std::string(tree.text_of_scalar(name_node)),
       .name_node = name_node,
       .tag = tree.find(entry, "newTag"),
       .digest = tree.find(entry, "digest"),
       .only_text = true,
       .reason_without = "no tag here: the resources have it"},
      {.object = context.object, .container = tree.text_at(entry, "name"), .rule = context.rule});
}

void add_kustomize_option(const Tree& tree, NodeId value, const ImageContext& context,
                          Collector& collector) {
  const std::string_view text = tree.text_of_scalar(value);
  const std::size_t equals = text.find('=');
  const std::size_t begin = equals == std::string_view::npos ? 0 : equals + 1;
  const std::string_view image = text.substr(begin);
  if (image.substr(image.rfind('/') + 1).find_first_of(":@") == std::string_view::npos) {
    collector.leave_alone(value, context, "no tag here: the resources have it");
  } else if (image.starts_with('*')) {
    collector.leave_alone(value, context, "no name here: the resources have it");
  } else {
    collector.add_part(value, {.begin = begin, .end = text.size()}, context);
  }
}

void find_in_kustomization(const Tree& tree, VisitBudget& budget, Collector& collector) {
  for (const std::string_view pattern : {"images[*]", "spec.images[*]"}) {
    for_each_match(tree, tree.root(), kNoNode, pattern, budget, [&](const Match& entry) {
      add_kustomize_image(tree, entry.value,
                          {.object = "kustomization", .rule = "kustomization: images[*]"},
                          collector);
    });
  }
}

}  // namespace windlass::manifest

#include "helm_values.h"

#include "split_image.h"

namespace windlass::manifest {
namespace {

// "image: name" may get its tag from any other key, so only whole references are taken.
void add_whole_image(const Tree& tree, NodeId value, Collector& collector) {
  const ImageContext context{.object = "values", .rule = "helm values: image"};
  const std::string_view text = tree.text_of_scalar(value);
  if (text.empty()) return;
  if (text.substr(text.rfind('/') + 1).find_first_of(":@") == std::string_view::npos) {
    collector.leave_alone(value, context, "no tag here: it may come from another key");
  } else {
    collector.add(value, context);
  }
}

}  // namespace

void find_in_helm_values(const Tree& tree, Collector& collector) {
  for (NodeId id = 0; id < tree.size(); ++id) {
    if (tree[id].kind != NodeKind::kMapping) continue;
    if (is_split_image(tree, id))
      add_split_image(tree, id,
                      {.object = "values", .rule = "helm values: repository with tag or digest"},
                      collector);
    const NodeId image = tree.find(id, "image");
    if (tree.is_scalar(image)) add_whole_image(tree, image, collector);
  }
}

}  // namespace windlass::manifest

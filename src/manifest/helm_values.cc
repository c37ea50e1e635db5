#include "helm_values.h"

#include "split_image.h"

namespace windlass::manifest {
namespace {

// "image: name" may get its tag from any other key, so only whole references are taken.
void add_whole_image(const Tree& tree, NodeId value, std::string_view object,
                     Collector& collector) {
  const ImageContext context{.object = object, .rule = "helm values: image"};
  const std::string_view text = tree.text_of_scalar(value);
  if (text.empty()) return;
  if (text.substr(text.rfind('/') + 1).find_first_of(":@") == std::string_view::npos) {
    collector.leave_alone(value, context, "no tag here: it may come from another key");
  } else {
    collector.add(value, context);
  }
}

}  // namespace

void find_in_helm_values(const Tree& tree, NodeId values, std::string_view object,
                         Collector& collector) {
  if (values == kNoNode) return;
  if (tree[values].kind == NodeKind::kMapping) {
    if (is_split_image(tree, values))
      add_split_image(tree, values,
                      {.object = object, .rule = "helm values: repository with tag or digest"},
                      collector);
    const NodeId image = tree.find(values, "image");
    if (tree.is_scalar(image)) add_whole_image(tree, image, object, collector);
  }
  // Depth is bounded where trees are built. What an alias stands for is met at its anchor.
  for (NodeId child = tree[values].first_child; child != kNoNode; child = tree[child].next)
    find_in_helm_values(tree, child, object, collector);
}

}  // namespace windlass::manifest

#include "helm_values.h"

namespace windlass::manifest {
namespace {

// A chart's dependencies have a repository too: a URL.
bool is_split_image(const Tree& tree, NodeId mapping) {
  const std::string_view repository = tree.text_at(mapping, "repository");
  return !repository.empty() && !repository.contains("://");
}

void add_split_image(const Tree& tree, NodeId mapping, Collector& collector) {
  SplitImage image{.name = std::string(tree.text_at(mapping, "registry")),
                   .name_node = tree.find(mapping, "repository"),
                   .tag = tree.find(mapping, "tag"),
                   .digest = tree.find(mapping, "digest"),
                   .reason_without = "the tag comes from the chart"};
  if (!image.name.empty()) image.name += '/';
  image.name += tree.text_of_scalar(image.name_node);
  if (image.tag == kNoNode) image.tag = tree.find(mapping, "version");
  collector.add_split(
      image,
      {.object = "values", .container = {}, .rule = "helm values: repository with tag or digest"});
}

// "image: name" may get its tag from any other key, so only whole references are taken.
void add_whole_image(const Tree& tree, NodeId value, Collector& collector) {
  const ImageContext context{.object = "values", .container = {}, .rule = "helm values: image"};
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
    if (is_split_image(tree, id)) add_split_image(tree, id, collector);
    const NodeId image = tree.find(id, "image");
    if (tree.is_scalar(image)) add_whole_image(tree, image, collector);
  }
}

}  // namespace windlass::manifest

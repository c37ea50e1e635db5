#include "split_image.h"

namespace windlass::manifest {

bool is_split_image(const Tree& tree, NodeId mapping) {
  const std::string_view repository = tree.text_at(mapping, "repository");
  return !repository.empty() && !repository.contains("://");
}

void add_split_image(const Tree& tree, NodeId mapping, const ImageContext& context,
                     Collector& collector) {
  SplitImage image{.name = std::string(tree.text_at(mapping, "registry")),
                   .name_node = tree.find(mapping, "repository"),
                   .tag = tree.find(mapping, "tag"),
                   .digest = tree.find(mapping, "digest"),
                   .name_may_hold_tag = true,
                   .reason_without = "the tag comes from elsewhere, such as the chart"};
  if (!image.name.empty()) image.name += '/';
  image.name += tree.text_of_scalar(image.name_node);
  if (image.tag == kNoNode) image.tag = tree.find(mapping, "version");
  collector.add_split(image, context);
}

}  // namespace windlass::manifest

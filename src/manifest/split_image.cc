#include "split_image.h"

#include "windlass/base/text.h"

namespace windlass::manifest {

namespace {

// "https://charts.example.test", "git@example.test:team/project.git"
bool is_address_of_something_else(std::string_view repository) {
  const std::size_t at = repository.find('@');
  return repository.contains("://") || repository.ends_with(".git") ||
         (at != std::string_view::npos && !repository.substr(at).starts_with("@sha"));
}

// Charts have a repository and a version too, and a version with a digest behind it is none.
bool is_called_image(const Tree& tree, NodeId mapping) {
  const NodeId key = tree.key_of(mapping);
  return key != kNoNode && to_lower(tree.text_of_scalar(key)).ends_with("image");
}

}  // namespace

bool is_split_image(const Tree& tree, NodeId mapping) {
  const std::string_view repository = tree.text_at(mapping, "repository");
  return !repository.empty() && !is_address_of_something_else(repository);
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
  if (image.tag == kNoNode && is_called_image(tree, mapping))
    image.tag = tree.find(mapping, "version");
  collector.add_split(image, context);
}

}  // namespace windlass::manifest

#include "possible_images.h"

#include "split_image.h"
#include "windlass/image/image_reference.h"

namespace windlass::manifest {
namespace {

// "name:tag" is any word with a colon; a registry and a path, or a digest, make an image likely.
bool looks_like_image(std::string_view text) {
  const auto reference = image::ImageReference::parse(text);
  if (!reference) return false;
  if (reference->is_pinned()) return true;
  const std::string_view first = text.substr(0, text.find('/'));
  return reference->has_written_tag() && first.size() < text.size() &&
         (first.contains('.') || first.contains(':') || first == "localhost");
}

// The text itself, or what stands behind the "=" of an argument.
bool holds_image(std::string_view text) {
  constexpr std::size_t kSizeMax = 1000;
  if (text.size() > kSizeMax || !text.contains('/')) return false;
  return looks_like_image(text) || looks_like_image(text.substr(text.find('=') + 1));
}

class PossibleImages {
 public:
  PossibleImages(const Tree& tree, Collector& collector) : tree_(tree), collector_(collector) {}

  void add_below(NodeId node) {
    const Node& it = tree_[node];
    if (it.kind == NodeKind::kScalar) {
      if (!tree_.is_key(node) && !collector_.has_finding(node) && holds_image(tree_.text(node)))
        collector_.leave_alone(node, {.rule = "looks like an image"},
                               "looks like an image, but no rule says that one stands here");
      return;
    }
    if (it.kind == NodeKind::kMapping && is_secret(node)) return;
    if (is_split_image(tree_, node)) add_parts(node);
    // Depth is bounded where trees are built.
    for (NodeId child = it.first_child; child != kNoNode; child = tree_[child].next)
      add_below(child);
  }

 private:
  // The name alone would hardly look like an image.
  void add_parts(NodeId mapping) {
    const NodeId tag = tree_.find(mapping, "tag");
    if (tag == kNoNode || collector_.has_finding(tag)) return;
    collector_.leave_alone(tag, {.rule = "looks like an image"},
                           "repository and tag stand under keys of their own, but no rule says "
                           "that they name an image");
  }

  bool is_secret(NodeId mapping) const {
    const std::string_view kind = tree_.text_at(mapping, "kind");
    return kind == "Secret" || kind == "SecretList" || kind == "SealedSecret";
  }

  const Tree& tree_;
  Collector& collector_;
};

}  // namespace

void add_possible_images(const Tree& tree, Collector& collector) {
  if (!tree.empty()) PossibleImages(tree, collector).add_below(tree.root());
}

}  // namespace windlass::manifest

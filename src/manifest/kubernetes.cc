#include "kubernetes.h"

#include <algorithm>
#include <array>
#include <string>

#include "kinds.h"
#include "split_image.h"
#include "windlass/base/format.h"

namespace windlass::manifest {
namespace {

struct Object {
  NodeId node;
  std::string_view group;
  std::string_view kind;
  std::string name;  // "Deployment/web"
};

class ObjectFinder {
 public:
  ObjectFinder(const Tree& tree, std::span<const PathRule> rules, VisitBudget& budget,
               Collector& collector)
      : tree_(tree), rules_(rules), budget_(budget), collector_(collector) {}

  // `kind` is what a list says of its items when they do not say it themselves.
  void find(NodeId node, std::string_view kind_of_list) {
    const Object object = describe(node, kind_of_list);
    for (const PathRule& rule : rules_) {
      if (rule.kind == object.kind || rule.kind == "*") apply(rule, object);
    }
    if (holds_no_images(object.kind)) return;
    if (object.kind.ends_with("List") && tree_.is_sequence(tree_.find(node, "items"))) {
      const std::string_view item_kind = object.kind.substr(0, object.kind.size() - 4);
      for_each_match(tree_, node, kNoNode, "items[*]", budget_,
                     [&](const Match& item) { find(item.value, item_kind); });
      return;
    }
    bool known = false;
    for (const KindRule& rule : kind_rules()) {
      if (rule.kind != object.kind || (!rule.group.empty() && rule.group != object.group)) continue;
      known = true;
      for_each_match(tree_, node, kNoNode, rule.path, budget_, [&](const Match& match) {
        add_images(match, rule.shape, object, format("{}: {}", rule.kind, rule.path));
      });
    }
    if (!known) find_by_shape(tree_.find(node, "spec"), object);
  }

 private:
  void apply(const PathRule& rule, const Object& object) {
    const std::string name = format("rule of the user: {}: {}", rule.kind, rule.path);
    for_each_match(tree_, object.node, kNoNode, rule.path, budget_, [&](const Match& match) {
      const ImageContext context{
          .object = object.name, .container = tree_.text_at(match.item, "name"), .rule = name};
      if (is_split_image(tree_, match.value)) {
        add_split_image(tree_, match.value, context, collector_);
      } else if (is_pod_spec(match.value)) {
        add_images(match, Shape::kPodSpec, object, name);
      } else {
        collector_.add(match.value, context);
      }
    });
  }

  Object describe(NodeId node, std::string_view kind_of_list) const {
    Object object{.node = node,
                  .group = tree_.text_at(node, "apiVersion"),
                  .kind = tree_.text_at(node, "kind"),
                  .name = {}};
    if (object.kind.empty()) object.kind = kind_of_list;
    const std::size_t slash = object.group.find('/');
    object.group = slash == std::string_view::npos ? "" : object.group.substr(0, slash);
    const NodeId metadata = tree_.find(node, "metadata");
    std::string_view name = tree_.text_at(metadata, "name");
    if (name.empty()) name = tree_.text_at(metadata, "generateName");
    object.name = format("{}/{}", object.kind, name);
    return object;
  }

  void add_images(const Match& at, Shape shape, const Object& object, const std::string& rule) {
    for (const std::string_view pattern : images_in(shape)) {
      for_each_match(tree_, at.value, at.item, pattern, budget_, [&](const Match& image) {
        collector_.add(
            image.value,
            {.object = object.name, .container = tree_.text_at(image.item, "name"), .rule = rule});
      });
    }
  }

  // Looks for mappings that could be a pod's spec. Aliases are not followed: what they stand for
  // is met where it is anchored.
  void find_by_shape(NodeId node, const Object& object) {
    if (node == kNoNode || !budget_.spend()) return;
    if (is_pod_spec(node)) {
      add_images({.value = node, .item = kNoNode}, Shape::kPodSpec, object,
                 "shape of a pod's spec: " + tree_.path(node));
    }
    const bool is_mapping = tree_[node].kind == NodeKind::kMapping;
    for (NodeId child = tree_[node].first_child; child != kNoNode; child = tree_[child].next) {
      if (is_mapping && tree_.is_key(child)) {
        if (is_foreign(tree_.text_of_scalar(child))) child = tree_[child].next;
        continue;
      }
      find_by_shape(child, object);
    }
  }

  // A list of containers has at least one that names its image.
  bool is_pod_spec(NodeId node) const {
    constexpr std::array<std::string_view, 3> kLists = {"containers", "initContainers",
                                                        "ephemeralContainers"};
    return std::any_of(kLists.begin(), kLists.end(), [&](std::string_view key) {
      const NodeId list = tree_.resolve(tree_.find(node, key));
      if (!tree_.is_sequence(list)) return false;
      for (NodeId item = tree_[list].first_child; item != kNoNode; item = tree_[item].next) {
        if (!tree_.text_at(item, "image").empty()) return true;
      }
      return false;
    });
  }

  // Parts of an object that describe something else than what will run.
  static bool is_foreign(std::string_view key) {
    constexpr std::array<std::string_view, 6> kForeign = {"status", "metadata", "openAPIV3Schema",
                                                          "schema", "data",     "stringData"};
    return std::find(kForeign.begin(), kForeign.end(), key) != kForeign.end();
  }

  const Tree& tree_;
  const std::span<const PathRule> rules_;
  VisitBudget& budget_;
  Collector& collector_;
};

}  // namespace

bool is_kubernetes_object(const Tree& tree, NodeId object) {
  return tree.is_scalar(tree.find(object, "apiVersion")) &&
         tree.is_scalar(tree.find(object, "kind"));
}

void find_in_kubernetes(const Tree& tree, NodeId object, std::span<const PathRule> rules,
                        VisitBudget& budget, Collector& collector) {
  ObjectFinder(tree, rules, budget, collector).find(object, {});
}

}  // namespace windlass::manifest

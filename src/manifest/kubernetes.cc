#include "kubernetes.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "helm_values.h"
#include "kinds.h"
#include "kustomization.h"
#include "plain_scalar.h"
#include "split_image.h"
#include "windlass/base/format.h"

namespace windlass::manifest {
namespace {

constexpr std::array<std::string_view, 3> kContainerLists = {"containers", "initContainers",
                                                             "ephemeralContainers"};

struct Object {
  NodeId node;
  std::string_view group;
  std::string_view kind;
  std::string name;  // "Deployment/web"
  std::optional<ObjectIdentity> identity;

  // For an image of the object.
  ImageContext context(std::string_view container, std::string_view rule,
                       Expected expected = Expected::kPerhapsImage) const {
    return {.object = name,
            .container = container,
            .rule = rule,
            .identity = identity ? &*identity : nullptr,
            .expected = expected};
  }
};

class ObjectFinder {
 public:
  ObjectFinder(const Tree& tree, const KubernetesOptions& options, VisitBudget& budget,
               Collector& collector)
      : tree_(tree),
        rules_(options.rules),
        identify_objects_(options.identify_objects),
        budget_(budget),
        collector_(collector) {}

  // `kind` is what a list says of its items when they do not say it themselves.
  void find(NodeId node, std::string_view kind_of_list) {
    const Object object = describe(node, kind_of_list);
    for (const PathRule& rule : rules_) {
      if (rule.target == RuleTarget::kPath && applies(rule, object)) apply(rule, object);
    }
    if (holds_no_images(object.kind)) return;
    if (object.kind.ends_with("List") && tree_.is_sequence(tree_.find(node, "items"))) {
      const std::string_view item_kind = object.kind.substr(0, object.kind.size() - 4);
      for_each_match(tree_, node, kNoNode, "items[*]", budget_,
                     [&](const Match& item) { find(item.value, item_kind); });
      return;
    }
    bool known = false;
    bool is_custom = false;
    for (const KindRule& rule : kind_rules()) {
      if (rule.kind != object.kind || !is_of_group(object, rule.group)) continue;
      known = true;
      is_custom = !rule.group.empty();
      for_each_match(tree_, node, kNoNode, rule.path, budget_, [&](const Match& match) {
        add_images(match, rule.shape, object, format("{}: {}", rule.kind, rule.path), true);
      });
    }
    // What others define may have more places than are known here.
    if (known && !is_custom) return;
    // Every shape has one of these in a name, and most documents nowhere.
    if (!tree_.holds_text("mage") && !tree_.holds_text("ontainers")) return;
    const bool was_second_look = is_second_look_;
    is_second_look_ = is_second_look_ || known;
    find_by_shape(node, object);
    is_second_look_ = was_second_look;
  }

 private:
  // Kubernetes' own kinds are of groups without a domain, or of one below k8s.io.
  static bool is_of_group(const Object& object, std::string_view group) {
    if (!group.empty()) return object.group == group;
    return !object.group.contains('.') || object.group.ends_with(".k8s.io");
  }

  void note_use(const PathRule& rule) {
    collector_.note_rule(static_cast<std::size_t>(&rule - rules_.data()));
  }

  void apply(const PathRule& rule, const Object& object) {
    const std::string name = format("rule of the user: {}: {}", rule.kind, rule.path);
    for_each_match(tree_, object.node, kNoNode, rule.path, budget_, [&](const Match& match) {
      note_use(rule);
      const ImageContext context = object.context(tree_.text_at(match.item, "name"), name);
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
                  .name = {},
                  .identity = std::nullopt};
    if (object.kind.empty()) object.kind = kind_of_list;
    const std::size_t slash = object.group.find('/');
    object.group = slash == std::string_view::npos ? "" : object.group.substr(0, slash);
    const NodeId metadata = tree_.find(node, "metadata");
    std::string_view name = tree_.text_at(metadata, "name");
    if (name.empty()) name = tree_.text_at(metadata, "generateName");
    object.name = name.empty() ? std::string(object.kind) : format("{}/{}", object.kind, name);
    if (identify_objects_) object.identity = identity_of(node, object.kind, metadata);
    return object;
  }

  ObjectIdentity identity_of(NodeId node, std::string_view kind, NodeId metadata) const {
    const NodeId annotations = tree_.find(metadata, "annotations");
    const auto origin = [&](std::string_view key) {
      std::string_view text =
          tree_.text_at(annotations, format("internal.config.kubernetes.io/{}", key));
      if (text.empty()) text = tree_.text_at(annotations, format("config.kubernetes.io/{}", key));
      return std::string(text);
    };
    return {.api_version = std::string(tree_.text_at(node, "apiVersion")),
            .kind = std::string(kind),
            .name = std::string(tree_.text_at(metadata, "name")),
            .name_space = std::string(tree_.text_at(metadata, "namespace")),
            .file = origin("path"),
            .index = origin("index")};
  }

  // `kind_is_known`: the shape is not a guess.
  void add_images(const Match& at, Shape shape, const Object& object, const std::string& rule,
                  bool kind_is_known = false) {
    bool is_known = false;
    for (const ImagePlace& place : images_in(shape)) {
      const Expected expected = !kind_is_known    ? Expected::kPerhapsImage
                                : place.must_name ? Expected::kImage
                                                  : Expected::kImageOrNothing;
      for_each_match(tree_, at.value, at.item, place.pattern, budget_, [&](const Match& image) {
        if (is_second_look_ && collector_.has_finding(image.value)) {
          is_known = true;
          return;
        }
        add_image(image.value, shape,
                  object.context(tree_.text_at(image.item, "name"), rule, expected));
      });
    }
    if (shape != Shape::kPodSpec || is_known) return;
    tell_odd_containers(at.value, object, rule, kind_is_known);
    for (const PathRule& user_rule : rules_) {
      if (user_rule.target == RuleTarget::kPath || !applies(user_rule, object)) continue;
      for_each_match(tree_, at.value, kNoNode, "*[*]", budget_, [&](const Match& container) {
        add_by_name(user_rule, container.value, object);
      });
    }
  }

  // What stands where a list of mappings belongs. Of an unknown kind only what is an image.
  void tell_odd_containers(NodeId spec, const Object& object, const std::string& rule,
                           bool kind_is_known) {
    for (const std::string_view key : kContainerLists) {
      const NodeId list = tree_.find(spec, key);
      const NodeId odd = tree_.resolve(list);
      if (odd == kNoNode) continue;
      const auto tell = [&](NodeId value) {
        if (!kind_is_known && (collector_.has_finding(value) || !is_surely_image(value))) return;
        collector_.tell(value, tree_.text_of_scalar(value), object.context({}, rule),
                        format("expected a list of mappings under {}, as containers are", key));
      };
      if (tree_.is_mapping(odd)) {
        if (!tell_images_in_mapping(list, tell) && kind_is_known) tell(list);
      } else if (tree_.is_sequence(odd)) {
        for (NodeId item = tree_[odd].first_child; item != kNoNode; item = tree_[item].next)
          if (!tree_.is_mapping(item) && !is_nothing(item)) tell(item);
      } else if (kind_is_known && !is_nothing(odd)) {
        tell(list);
      }
    }
  }

  // Of one container, or of containers by name. False when there is no image.
  template <typename Tell>
  bool tell_images_in_mapping(NodeId containers, const Tell& tell) {
    bool found = false;
    for (const std::string_view pattern : {"image", "*.image"}) {
      for_each_match(tree_, containers, kNoNode, pattern, budget_, [&](const Match& image) {
        if (tree_.text_of_scalar(image.value).empty()) return;
        tell(image.value);
        found = true;
      });
    }
    return found;
  }

  // Names of containers stand in lists, too.
  bool is_surely_image(NodeId value) const {
    const std::string_view text = tree_.text_of_scalar(value);
    const bool in_mapping = tree_.key_of(value) != kNoNode;
    return image::ImageReference::parse(text).has_value() &&
           (in_mapping || text.substr(text.rfind('/') + 1).find_first_of(":@") != text.npos);
  }

  bool is_nothing(NodeId value) const {
    const NodeId node = tree_.resolve(value);
    return tree_[node].kind == NodeKind::kScalar && tree_[node].style == ScalarStyle::kPlain &&
           meaning_of_plain(tree_.text(node)) == PlainMeaning::kNull;
  }

  void add_image(NodeId value, Shape shape, const ImageContext& context) {
    constexpr std::string_view kDockerScheme = "docker://";
    const std::string_view text = tree_.text_of_scalar(value);
    switch (shape) {
      case Shape::kHelmValues: return find_in_helm_values(tree_, value, context.object, collector_);
      case Shape::kKustomizeImage: return add_kustomize_image(tree_, value, context, collector_);
      case Shape::kKustomizeOption: return add_kustomize_option(tree_, value, context, collector_);
      case Shape::kDockerUrl:
        if (text.starts_with(kDockerScheme))
          collector_.add_part(value, {.begin = kDockerScheme.size(), .end = text.size()}, context);
        return;
      default: return collector_.add(value, context);
    }
  }

  // Variables and arguments of a container whose names the user gave.
  void add_by_name(const PathRule& rule, NodeId container, const Object& object) {
    const std::string_view name = tree_.text_at(container, "name");
    if (rule.target == RuleTarget::kVariable) {
      const std::string shown = format("rule of the user: env {}", rule.path);
      const ImageContext context = object.context(name, shown);
      for_each_match(tree_, container, kNoNode, "env[*]", budget_, [&](const Match& variable) {
        const NodeId value = tree_.find(variable.value, "value");
        if (value == kNoNode || !matches(rule.path, tree_.text_at(variable.value, "name"))) return;
        note_use(rule);
        collector_.add(value, context);
      });
      return;
    }
    const std::string shown = format("rule of the user: args {}", rule.path);
    const ImageContext context = object.context(name, shown);
    for (const std::string_view list : {"args[*]", "command[*]"}) {
      for_each_match(tree_, container, kNoNode, list, budget_,
                     [&](const Match& argument) { add_argument(rule, argument.value, context); });
    }
  }

  // --flag=IMAGE, or --flag and IMAGE as the next argument.
  void add_argument(const PathRule& rule, NodeId argument, const ImageContext& context) {
    const std::string_view flag = rule.path;
    const std::string_view text = tree_.text_of_scalar(argument);
    if (text == flag) {
      if (tree_[argument].next == kNoNode) return;
      note_use(rule);
      collector_.add(tree_[argument].next, context);
    } else if (text.starts_with(flag) && text.substr(flag.size()).starts_with('=')) {
      note_use(rule);
      collector_.add_part(argument, {.begin = flag.size() + 1, .end = text.size()}, context);
    }
  }

  // A "*" at the end of `pattern` stands for any ending.
  static bool matches(std::string_view pattern, std::string_view name) {
    if (!pattern.ends_with('*')) return pattern == name;
    return name.starts_with(pattern.substr(0, pattern.size() - 1));
  }

  static bool applies(const PathRule& rule, const Object& object) {
    return rule.kind == object.kind || rule.kind == "*";
  }

  // Looks for mappings that could be a pod's spec, and for whole objects, as templates of objects
  // have them. Aliases are not followed: what they stand for is met where it is anchored.
  void find_by_shape(NodeId node, const Object& object) {
    if (node == kNoNode || !budget_.spend()) return;
    const bool is_mapping = tree_[node].kind == NodeKind::kMapping;
    if (names_containers(node)) {
      const std::string rule = "shape of a pod's spec: " + tree_.path(node);
      if (is_pod_spec(node)) {
        add_images({.value = node, .item = kNoNode}, Shape::kPodSpec, object, rule);
      } else if (is_mapping) {
        tell_odd_containers(node, object, rule, false);
      }
    }
    for (NodeId child = tree_[node].first_child; child != kNoNode; child = tree_[child].next) {
      if (is_mapping && tree_.is_key(child)) {
        if (is_foreign(tree_.text_of_scalar(child))) child = tree_[child].next;
        continue;
      }
      if (tree_[child].kind == NodeKind::kMapping && is_kubernetes_object(tree_, child)) {
        find(child, {});
      } else {
        find_by_shape(child, object);
      }
    }
  }

  bool names_containers(NodeId node) const {
    return std::ranges::any_of(
        kContainerLists, [&](std::string_view key) { return tree_.find(node, key) != kNoNode; });
  }

  // A list of containers has at least one that names its image.
  bool is_pod_spec(NodeId node) const {
    return std::any_of(kContainerLists.begin(), kContainerLists.end(), [&](std::string_view key) {
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
  const bool identify_objects_;
  VisitBudget& budget_;
  Collector& collector_;
  bool is_second_look_ = false;  // for what stands beside the places that are known
};

}  // namespace

bool is_kubernetes_object(const Tree& tree, NodeId object) {
  return tree.is_scalar(tree.find(object, "apiVersion")) &&
         tree.is_scalar(tree.find(object, "kind"));
}

bool is_list_of_objects(const Tree& tree, NodeId list) {
  if (!tree.is_sequence(list)) return false;
  NodeId item = tree[list].first_child;
  while (item != kNoNode && !is_kubernetes_object(tree, item)) item = tree[item].next;
  return item != kNoNode;
}

void find_in_kubernetes(const Tree& tree, NodeId object, const KubernetesOptions& options,
                        VisitBudget& budget, Collector& collector) {
  ObjectFinder finder(tree, options, budget, collector);
  if (!tree.is_sequence(object)) return finder.find(object, {});
  for (NodeId item = tree[object].first_child; item != kNoNode; item = tree[item].next)
    if (is_kubernetes_object(tree, item)) finder.find(item, {});
}

}  // namespace windlass::manifest

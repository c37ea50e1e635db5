#include "compose.h"

#include <algorithm>
#include <array>
#include <functional>

#include "variable.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kExtension = "x-";

void for_each_entry(const Tree& tree, NodeId mapping, VisitBudget& budget,
                    const std::function<void(std::string_view key, NodeId value)>& visit) {
  mapping = tree.resolve(mapping);
  if (!tree.is_mapping(mapping)) return;
  for (NodeId key = tree[mapping].first_child; key != kNoNode && budget.spend();) {
    const NodeId value = tree[key].next;
    visit(tree.text_of_scalar(key), value);
    key = tree[value].next;
  }
}

// Values may be given a default: ${IMAGE:-name:tag}. The default is what can be pinned.
void add_image(const Tree& tree, NodeId value, const ImageContext& context, Collector& collector) {
  if (value == kNoNode) return;
  const auto fixed = text_without_variables(tree.text_of_scalar(value));
  if (fixed) {
    collector.add_part(value, *fixed, context);
  } else {
    collector.leave_alone(value, context, reason_by_variable(tree.text_of_scalar(value)),
                          FindingState::kNotKnown);
  }
}

// Images that a build reads files from: "base: docker-image://name:tag", or "base=..." in a list.
void add_contexts(const Tree& tree, std::string_view service, NodeId build, VisitBudget& budget,
                  Collector& collector) {
  constexpr std::string_view kScheme = "docker-image://";
  for (const std::string_view pattern : {"additional_contexts.*", "additional_contexts[*]"}) {
    for_each_match(tree, build, kNoNode, pattern, budget, [&](const Match& match) {
      const std::string_view text = tree.text_of_scalar(match.value);
      const std::size_t scheme = text.find(kScheme);
      if (scheme == std::string_view::npos) return;
      collector.add_part(match.value, {.begin = scheme + kScheme.size(), .end = text.size()},
                         {.object = "compose",
                          .container = service,
                          .rule = "compose: services.*.build.additional_contexts"});
    });
  }
}

void find_in_service(const Tree& tree, std::string_view name, NodeId service, VisitBudget& budget,
                     Collector& collector) {
  const ImageContext context{.object = "compose",
                             .container = name,
                             .rule = "compose: services.*.image",
                             .expected = Expected::kImage};
  const NodeId image = tree.find(service, "image");
  if (image != kNoNode && tree.find(service, "build") != kNoNode) {
    collector.leave_alone(image, context, "built here: the service has a build section");
  } else if (tree.text_at(service, "pull_policy") == "build") {
    if (image != kNoNode) collector.leave_alone(image, context, "built here: pull_policy is build");
  } else {
    add_image(tree, image, context, collector);
  }
  add_contexts(tree, name, tree.find(service, "build"), budget, collector);
  for_each_match(tree, service, kNoNode, "volumes[*]", budget, [&](const Match& volume) {
    if (tree.text_at(volume.value, "type") != "image") return;
    add_image(tree, tree.find(volume.value, "source"),
              {.object = "compose",
               .container = name,
               .rule = "compose: services.*.volumes[*].source of type image",
               .expected = Expected::kImage},
              collector);
  });
}

// "/img/logo.png", "https://example.test/a", "photo.jpg"
bool is_picture(std::string_view text) {
  constexpr std::array<std::string_view, 7> kEndings = {".png", ".jpg",  ".jpeg", ".svg",
                                                        ".gif", ".webp", ".ico"};
  return text.starts_with('/') || text.starts_with('.') || text.contains("://") ||
         std::ranges::any_of(kEndings, [&](std::string_view end) { return text.ends_with(end); });
}

// True when each image of these services is one to look at, as sites describe what they offer.
bool shows_pictures(const Tree& tree, NodeId services) {
  bool has_any = false;
  for (NodeId key = tree[services].first_child; key != kNoNode;) {
    const NodeId service = tree[key].next;
    if (tree.find(service, "build") != kNoNode) return false;
    if (const NodeId image = tree.find(service, "image"); image != kNoNode) {
      if (!is_picture(tree.text_of_scalar(image))) return false;
      has_any = true;
    }
    key = tree[service].next;
  }
  return has_any;
}

}  // namespace

bool is_compose_file(const Tree& tree, NodeId root) {
  const NodeId services = tree.resolve(tree.find(root, "services"));
  if (!tree.is_mapping(services)) return false;
  const NodeId first = tree[services].first_child;
  return first != kNoNode && tree.is_mapping(tree[first].next) && !shows_pictures(tree, services);
}

void find_in_compose(const Tree& tree, VisitBudget& budget, Collector& collector) {
  for_each_entry(tree, tree.find(tree.root(), "services"), budget,
                 [&](std::string_view name, NodeId service) {
                   find_in_service(tree, name, service, budget, collector);
                 });
  for_each_entry(tree, tree.root(), budget, [&](std::string_view key, NodeId extension) {
    const NodeId image = tree.find(extension, "image");
    if (!key.starts_with(kExtension) || !tree.is_scalar(image) || collector.has_finding(image) ||
        tree.find(extension, "build") != kNoNode)
      return;
    add_image(tree, image,
              {.object = "compose", .container = key, .rule = "compose: image of an extension"},
              collector);
  });
}

}  // namespace windlass::manifest

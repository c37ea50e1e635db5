#include "workflow.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kDockerScheme = "docker://";

// Where an image stands under a job, perhaps behind docker://.
struct Place {
  std::string_view pattern;
  std::string_view rule;
  bool needs_scheme;  // without it the value names something else
};

constexpr Place kPlaces[] = {
    {"jobs.*.container", "workflow: jobs.*.container", false},
    {"jobs.*.container.image", "workflow: jobs.*.container.image", false},
    {"jobs.*.services.*.image", "workflow: jobs.*.services.*.image", false},
    {"jobs.*.steps[*].uses", "workflow: jobs.*.steps[*].uses", true},
    {"runs.image", "action: runs.image", true},
    {"runs.steps[*].uses", "action: runs.steps[*].uses", true},
};

}  // namespace

bool is_workflow(const Tree& tree, NodeId root) {
  // YAML 1.1 reads the key as a truth value, but it is written "on".
  return tree.is_mapping(tree.find(root, "jobs")) && tree.find(root, "on") != kNoNode;
}

void find_in_workflow(const Tree& tree, VisitBudget& budget, Collector& collector) {
  for (const Place& place : kPlaces) {
    for_each_match(tree, tree.root(), kNoNode, place.pattern, budget, [&](const Match& match) {
      const std::string_view text = tree.text_of_scalar(match.value);
      // The long form of a container is a mapping, and has a place of its own.
      if (tree.is_mapping(match.value) && place.pattern.ends_with(".container")) return;
      const bool has_scheme = text.starts_with(kDockerScheme);
      if (place.needs_scheme && !has_scheme) return;
      collector.add_part(match.value,
                         {.begin = has_scheme ? kDockerScheme.size() : 0, .end = text.size()},
                         {.object = "workflow",
                          .container = tree.text_at(match.item, "name"),
                          .rule = place.rule,
                          .expected = Expected::kImageOrNothing});
    });
  }
}

}  // namespace windlass::manifest

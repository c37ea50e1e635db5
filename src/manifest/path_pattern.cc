#include "path_pattern.h"

#include <vector>

namespace windlass::manifest {
namespace {

constexpr std::string_view kEachItem = "[*]";
constexpr std::string_view kEachKey = "*";

// Cuts the first step off `pattern`.
std::string_view take_step(std::string_view& pattern) {
  const std::size_t size =
      pattern.starts_with('[') ? kEachItem.size() : pattern.find_first_of(".[");
  const std::string_view step = pattern.substr(0, size);
  pattern.remove_prefix(step.size());
  if (pattern.starts_with('.')) pattern.remove_prefix(1);
  return step;
}

// The mapping that an alias is merged into, or kNoNode: "<<: *a", "<<: [*a, *b]".
NodeId merged_into(const Tree& tree, NodeId alias) {
  NodeId value = alias;
  const NodeId parent = tree[alias].parent;
  if (parent != kNoNode && tree[parent].kind == NodeKind::kSequence) value = parent;
  const NodeId key = tree.key_of(value);
  return key != kNoNode && tree.text_of_scalar(key) == "<<" ? tree[value].parent : kNoNode;
}

// How many nodes merge keys make look-ups go through, all together; at most about `bound`.
std::size_t weight_of_merges(const Tree& tree, std::size_t bound) {
  std::vector<std::size_t> weights(tree.size());
  for (NodeId id = 1; id < tree.size(); ++id) ++weights[tree[id].parent];
  std::size_t total = 0;
  for (NodeId id = 0; id < tree.size() && total <= bound; ++id) {
    if (tree[id].kind != NodeKind::kAlias) continue;
    const NodeId mapping = merged_into(tree, id);
    if (mapping == kNoNode) continue;
    const std::size_t weight = weights[tree[id].target];
    weights[mapping] += weight;
    total += weight;
  }
  return total;
}

}  // namespace

VisitBudget::VisitBudget(const Tree& tree) : left_(16 * tree.size() + 1000) {
  constexpr std::size_t kAlways = 1'000'000;
  if (tree.has_aliases() && weight_of_merges(tree, left_ + kAlways) > left_ + kAlways) left_ = 0;
}

void for_each_match(const Tree& tree, NodeId start, NodeId item, std::string_view pattern,
                    VisitBudget& budget, const std::function<void(const Match&)>& found) {
  if (start == kNoNode || !budget.spend()) return;
  if (pattern.empty()) return found({.value = start, .item = item});
  const std::string_view step = take_step(pattern);
  const NodeId node = tree.resolve(start);
  if (step == kEachItem) {
    if (!tree.is_sequence(node)) return;
    for (NodeId child = tree[node].first_child; child != kNoNode; child = tree[child].next)
      for_each_match(tree, child, tree.resolve(child), pattern, budget, found);
  } else if (step == kEachKey) {
    if (!tree.is_mapping(node)) return;
    for (NodeId key = tree[node].first_child; key != kNoNode;) {
      const NodeId value = tree[key].next;
      for_each_match(tree, value, item, pattern, budget, found);
      key = tree[value].next;
    }
  } else {
    for_each_match(tree, tree.find(node, step), item, pattern, budget, found);
  }
}

std::string_view problem_of_path(std::string_view pattern) {
  constexpr std::string_view kExample = "a path such as spec.sidecars[*].image";
  if (pattern.empty() || pattern.ends_with('.')) return kExample;
  if (pattern.starts_with('$')) return "a path that begins with a key, without $";
  // A slash may stand in keys further down only, as in labels.
  if (pattern.substr(0, pattern.find_first_of(".[")).contains('/')) return "keys joined by dots";
  while (!pattern.empty()) {
    const bool is_item = pattern.starts_with('[');
    if (is_item && !pattern.starts_with(kEachItem)) return "[*], which is every item";
    const std::string_view step = take_step(pattern);
    if (step.empty() || (!is_item && step.contains(']'))) return kExample;
    if (!is_item && step != kEachKey && step.contains('*'))
      return "* as a whole step, which is every key of one mapping";
  }
  return {};
}

}  // namespace windlass::manifest

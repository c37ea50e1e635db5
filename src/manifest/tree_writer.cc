#include "tree_writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace windlass::manifest {

void TreeWriter::start(Tree& tree) {
  tree_ = &tree;
  tree.nodes_.clear();
  tree.text_.clear();
  tree.has_aliases_ = false;
  open_.clear();
}

NodeId TreeWriter::add(NodeKind kind, Span span) {
  const auto id = static_cast<NodeId>(tree_->nodes_.size());
  Node& node = tree_->nodes_.emplace_back();
  node.kind = kind;
  if (kind == NodeKind::kAlias) tree_->has_aliases_ = true;
  node.span = span;
  if (open_.empty()) return id;
  Open& parent = open_.back();
  node.parent = parent.node;
  node.previous = parent.last_child;
  node.position = parent.children++;
  if (parent.last_child == kNoNode) {
    tree_->nodes_[parent.node].first_child = id;
  } else {
    tree_->nodes_[parent.last_child].next = id;
  }
  parent.last_child = id;
  return id;
}

NodeId TreeWriter::add_scalar(ScalarStyle style, Span span, std::string_view text) {
  const NodeId id = add(NodeKind::kScalar, span);
  Node& node = tree_->nodes_[id];
  node.style = style;
  node.ordinal = scalars_++;
  node.text = store(text);
  return id;
}

Stored TreeWriter::store(std::string_view text) {
  const std::size_t begin = tree_->text_.size();
  tree_->text_ += text;
  return {.begin = static_cast<std::uint32_t>(begin),
          .size = static_cast<std::uint32_t>(text.size())};
}

void TreeWriter::text_was_appended(NodeId id) {
  Stored& text = tree_->nodes_[id].text;
  text.size = static_cast<std::uint32_t>(tree_->text_.size() - text.begin);
}

NodeId TreeWriter::open(NodeKind kind, bool flow, Span span) {
  const NodeId id = add(kind, span);
  tree_->nodes_[id].flow = flow;
  open_.push_back({.node = id});
  return id;
}

void TreeWriter::close() { open_.pop_back(); }

std::optional<DuplicateKeys> TreeWriter::find_duplicate_keys() {
  const Tree& tree = *tree_;
  const NodeId mapping = open_.back().node;
  if (tree[mapping].kind != NodeKind::kMapping) return std::nullopt;
  keys_.clear();
  for (NodeId key = tree[mapping].first_child; key != kNoNode; key = tree[tree[key].next].next) {
    if (tree[key].kind == NodeKind::kScalar && tree.text(key) != "<<")
      keys_.push_back({.text = tree.text(key), .node = key});
  }
  // Comparing all pairs is quicker than sorting while there are few.
  constexpr std::size_t kFew = 12;
  if (keys_.size() <= kFew) {
    bool none = true;
    for (std::size_t i = 1; i < keys_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) none = none && keys_[i].text != keys_[j].text;
    }
    if (none) return std::nullopt;
  }
  std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
    return std::pair(a.text, a.node) < std::pair(b.text, b.node);
  });
  const auto twice = std::adjacent_find(
      keys_.begin(), keys_.end(), [](const Key& a, const Key& b) { return a.text == b.text; });
  if (twice == keys_.end()) return std::nullopt;
  return DuplicateKeys{.first = twice->node, .second = std::next(twice)->node};
}

}  // namespace windlass::manifest

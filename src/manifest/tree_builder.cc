#include "tree_builder.h"

#include <algorithm>
#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

bool is_string_tag(std::string_view tag) { return tag == "!" || tag == "tag:yaml.org,2002:str"; }

Span append(std::string& storage, std::string_view text) {
  const std::size_t begin = storage.size();
  storage += text;
  return {.begin = begin, .end = storage.size()};
}

NodeKind kind_of(EventKind kind) {
  switch (kind) {
    case EventKind::kSequenceStart: return NodeKind::kSequence;
    case EventKind::kMappingStart: return NodeKind::kMapping;
    case EventKind::kAlias: return NodeKind::kAlias;
    default: return NodeKind::kScalar;
  }
}

}  // namespace

TreeBuilder::TreeBuilder(EventSource& events, const SourceText& source, Options options)
    : events_(events), source_(source), options_(options) {}

Result<bool> TreeBuilder::read_document(Tree& tree) {
  tree.nodes_.clear();
  tree.text_.clear();
  open_.clear();
  anchors_.clear();
  const auto event = events_.next();
  if (!event) return fail(event.error());
  if (event->kind == EventKind::kStreamEnd) return false;
  if (auto read = read_nodes(tree); !read) return fail(std::move(read.error()));
  return true;
}

Result<void> TreeBuilder::read_nodes(Tree& tree) {
  for (;;) {
    const auto event = events_.next();
    if (!event) return fail(event.error());
    switch (event->kind) {
      case EventKind::kDocumentEnd: return {};
      case EventKind::kSequenceEnd:
      case EventKind::kMappingEnd:
        if (auto closed = close(tree); !closed) return closed;
        break;
      default:
        if (auto added = add(tree, *event); !added) return added;
        break;
    }
  }
}

void TreeBuilder::link(Tree& tree, NodeId id) {
  if (open_.empty()) return;
  Open& parent = open_.back();
  Node& node = tree.nodes_[id];
  node.parent = parent.node;
  node.position = parent.children++;
  if (parent.last_child == kNoNode) {
    tree.nodes_[parent.node].first_child = id;
  } else {
    tree.nodes_[parent.last_child].next = id;
  }
  parent.last_child = id;
}

Result<void> TreeBuilder::add(Tree& tree, const Event& event) {
  const auto id = static_cast<NodeId>(tree.nodes_.size());
  Node& node = tree.nodes_.emplace_back();
  node.kind = kind_of(event.kind);
  node.style = event.style;
  node.flow = event.flow;
  node.span = event.span;
  node.is_string = is_string_tag(event.tag);
  if (!event.tag.empty() && !node.is_string) node.tag = append(tree.text_, event.tag);
  if (node.kind == NodeKind::kScalar) {
    node.ordinal = scalars_++;
    node.text = append(tree.text_, event.value);
  }
  if (node.kind == NodeKind::kAlias) {
    const auto anchor = anchors_.find(std::string(event.anchor));
    if (anchor == anchors_.end()) {
      return fail(source_.error_at(event.span.begin, format("alias *{} has no anchor &{} above it",
                                                            event.anchor, event.anchor)));
    }
    node.target = anchor->second;
  } else if (!event.anchor.empty()) {
    anchors_.insert_or_assign(std::string(event.anchor), id);
  }
  link(tree, id);
  if (node.kind == NodeKind::kSequence || node.kind == NodeKind::kMapping) {
    if (open_.size() >= options_.depth_max) {
      return fail(source_.error_at(event.span.begin,
                                   format("nested more than {} levels deep", options_.depth_max)));
    }
    open_.push_back({.node = id});
  }
  return {};
}

Result<void> TreeBuilder::close(const Tree& tree) {
  const NodeId node = open_.back().node;
  open_.pop_back();
  if (tree[node].kind == NodeKind::kMapping && !options_.allow_duplicate_keys)
    return check_keys(tree, node);
  return {};
}

Result<void> TreeBuilder::check_keys(const Tree& tree, NodeId mapping) {
  keys_.clear();
  for (NodeId key = tree[mapping].first_child; key != kNoNode;) {
    // Merge keys may be repeated: each adds to the mapping.
    if (tree[key].kind == NodeKind::kScalar && tree.text(key) != "<<")
      keys_.push_back({.text = tree.text(key), .node = key});
    key = tree[tree[key].next].next;
  }
  std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) {
    return std::pair(a.text, a.node) < std::pair(b.text, b.node);
  });
  const auto twice = std::adjacent_find(
      keys_.begin(), keys_.end(), [](const Key& a, const Key& b) { return a.text == b.text; });
  if (twice == keys_.end()) return {};
  const std::size_t first = tree[twice->node].span.begin;
  const std::size_t second = tree[std::next(twice)->node].span.begin;
  return fail(source_.error_at(
      second, format("duplicate key {}: it stands on line {} already; keep one of the two",
                     windlass::quoted(twice->text), source_.location(first).line)));
}

}  // namespace windlass::manifest

#include "tree.h"

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kMergeKey = "<<";
constexpr int kMergeDepthMax = 8;

bool needs_quotes(std::string_view key) {
  return key.empty() || key.find_first_of(".[]\"\n ") != std::string_view::npos;
}

}  // namespace

NodeId Tree::resolve(NodeId id) const {
  return id != kNoNode && nodes_[id].kind == NodeKind::kAlias ? nodes_[id].target : id;
}

NodeId Tree::find(NodeId mapping, std::string_view key) const {
  return find_within(mapping, key, kMergeDepthMax);
}

NodeId Tree::find_within(NodeId mapping, std::string_view key, int merges_left) const {
  mapping = resolve(mapping);
  if (!is_mapping(mapping)) return kNoNode;
  NodeId found = kNoNode;
  NodeId merged = kNoNode;
  for (NodeId k = nodes_[mapping].first_child; k != kNoNode;) {
    const NodeId value = nodes_[k].next;
    if (is_scalar(k)) {
      const std::string_view name = text(resolve(k));
      if (name == key) found = value;
      if (name == kMergeKey) merged = value;
    }
    k = nodes_[value].next;
  }
  if (found != kNoNode || merged == kNoNode || merges_left == 0) return found;
  if (is_mapping(merged)) return find_within(merged, key, merges_left - 1);
  if (!is_sequence(merged)) return kNoNode;
  for (NodeId item = nodes_[resolve(merged)].first_child; item != kNoNode;
       item = nodes_[item].next) {
    found = find_within(item, key, merges_left - 1);
    if (found != kNoNode) return found;
  }
  return kNoNode;
}

std::string_view Tree::text_at(NodeId mapping, std::string_view key) const {
  return text_of_scalar(find(mapping, key));
}

NodeId Tree::key_of(NodeId id) const {
  const NodeId parent = nodes_[id].parent;
  if (parent == kNoNode || nodes_[parent].kind != NodeKind::kMapping) return kNoNode;
  return is_key(id) ? id : nodes_[id].previous;
}

std::string Tree::path(NodeId id) const {
  const NodeId parent = nodes_[id].parent;
  if (parent == kNoNode) return {};
  std::string path = this->path(parent);
  if (nodes_[parent].kind == NodeKind::kSequence) {
    return path + format("[{}]", nodes_[id].position);
  }
  const std::string_view name = is_scalar(key_of(id)) ? text(resolve(key_of(id))) : "?";
  if (needs_quotes(name)) return path + "[" + windlass::quoted(name) + "]";
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

}  // namespace windlass::manifest

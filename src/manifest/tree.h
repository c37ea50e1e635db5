// Tree: one document as nodes in one array, in the order of the file.
//
// Made again for each document of a file; it never holds the whole file. Aliases stay nodes of
// their own, so that an anchored value is one node however often it is used.
//
// A value; const members may be called from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event.h"
#include "windlass/manifest/location.h"

namespace windlass::manifest {

using NodeId = std::uint32_t;
constexpr NodeId kNoNode = ~NodeId{0};

enum class NodeKind : std::uint8_t { kScalar, kSequence, kMapping, kAlias };

// A text in the storage of a tree, which is bounded by what a file may hold.
struct Stored {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
};

struct Node {
  NodeKind kind = NodeKind::kScalar;
  ScalarStyle style = ScalarStyle::kPlain;
  bool flow = false;
  bool is_string = false;  // a tag says so: !!str or !
  NodeId parent = kNoNode;
  NodeId first_child = kNoNode;  // of a mapping: key, value, key, value, ...
  NodeId next = kNoNode;         // sibling
  NodeId previous = kNoNode;     // sibling: of a mapping's value, its key
  NodeId target = kNoNode;       // of an alias: the anchored node
  std::uint32_t position = 0;    // among its siblings
  std::uint32_t ordinal = 0;     // of a scalar: its number among all scalars of the file
  Span span;                     // in the file, without anchor and tag
  Stored text;                   // of a scalar: its decoded text
  Stored tag;                    // any other tag than !!str
};

class Tree {
 public:
  bool empty() const { return nodes_.empty(); }
  std::size_t size() const { return nodes_.size(); }
  bool has_aliases() const { return has_aliases_; }
  NodeId root() const { return nodes_.empty() ? kNoNode : 0; }

  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::string_view text(NodeId id) const { return stored(nodes_[id].text); }
  std::string_view tag(NodeId id) const { return stored(nodes_[id].tag); }

  // False only when no scalar's text has `text` in it.
  bool holds_text(std::string_view text) const { return text_.contains(text); }

  // The node an alias stands for; any other node is itself. kNoNode stays kNoNode.
  NodeId resolve(NodeId id) const;

  bool is_scalar(NodeId id) const { return has_kind(id, NodeKind::kScalar); }
  bool is_sequence(NodeId id) const { return has_kind(id, NodeKind::kSequence); }
  bool is_mapping(NodeId id) const { return has_kind(id, NodeKind::kMapping); }

  // The decoded text of a scalar or of what an alias stands for; "" for a collection.
  std::string_view text_of_scalar(NodeId id) const {
    return is_scalar(id) ? text(resolve(id)) : std::string_view();
  }

  // The value of a mapping's key, merge keys (<<) included; an alias is returned as it is. kNoNode
  // when there is none or `mapping` is none. Of duplicate keys the last counts.
  NodeId find(NodeId mapping, std::string_view key) const;

  // The decoded text of the scalar under `key`, or "".
  std::string_view text_at(NodeId mapping, std::string_view key) const;

  // A mapping's children alternate: keys stand at even positions.
  bool is_key(NodeId id) const {
    const NodeId parent = nodes_[id].parent;
    return parent != kNoNode && nodes_[parent].kind == NodeKind::kMapping &&
           nodes_[id].position % 2 == 0;
  }

  // The key a mapping's value stands under, kNoNode for an item of a sequence.
  NodeId key_of(NodeId id) const;

  // "spec.containers[0].image"
  std::string path(NodeId id) const;

 private:
  friend class TreeWriter;

  std::string_view stored(Stored text) const {
    return std::string_view(text_).substr(text.begin, text.size);
  }
  bool has_kind(NodeId id, NodeKind kind) const {
    const NodeId node = resolve(id);
    return node != kNoNode && nodes_[node].kind == kind;
  }
  NodeId find_within(NodeId mapping, std::string_view key, int merges_left) const;

  std::vector<Node> nodes_;
  std::string text_;
  bool has_aliases_ = false;
};

}  // namespace windlass::manifest

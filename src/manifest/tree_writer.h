// TreeWriter: puts the nodes of one document after the other into a Tree, in the order of the file.
//
// It counts scalars, bounds nesting and finds duplicate keys; what that means is for its users to
// say. A key is a duplicate when the same text stands twice as a key of one mapping; merge keys
// may be repeated, since each adds to the mapping.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tree.h"

namespace windlass::manifest {

struct DuplicateKeys {
  NodeId first;
  NodeId second;
};

class TreeWriter {
 public:
  // Empties `tree`, which must outlive the writing of this document.
  void start(Tree& tree);

  // The text is copied.
  NodeId add_scalar(ScalarStyle style, Span span, std::string_view text);
  NodeId add(NodeKind kind, Span span);  // an alias, or a collection that stays empty

  // What is added until close() becomes a child of it.
  NodeId open(NodeKind kind, bool flow, Span span);
  void close();

  // Of the collection that is open.
  std::optional<DuplicateKeys> find_duplicate_keys();

  // Collections that are open.
  std::size_t depth() const { return open_.size(); }

  Tree& tree() { return *tree_; }
  Node& node(NodeId id) { return tree_->nodes_[id]; }

  Stored store(std::string_view text);

  // To put the text of the scalar that was added last together piece by piece: append it here,
  // then say so.
  std::string& text_storage() { return tree_->text_; }
  void text_was_appended(NodeId id);

  // The number of the next scalar in the file.
  std::uint32_t scalars() const { return scalars_; }
  void set_scalars(std::uint32_t scalars) { scalars_ = scalars; }

 private:
  struct Open {
    NodeId node;
    NodeId last_child = kNoNode;
    std::uint32_t children = 0;
  };
  struct Key {
    std::string_view text;
    NodeId node;
  };

  Tree* tree_ = nullptr;
  std::uint32_t scalars_ = 0;
  std::vector<Open> open_;
  std::vector<Key> keys_;  // kept to save allocations
};

}  // namespace windlass::manifest

// TreeBuilder: reads the documents of an event source into a Tree, one after the other.
//
// It refuses what would be read in two ways or without end: duplicate keys, aliases without an
// anchor, nesting beyond a bound.
//
// Not thread-safe. The SourceText and the EventSource must outlive it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "event.h"
#include "source_text.h"
#include "tree.h"

namespace windlass::manifest {

class TreeBuilder {
 public:
  struct Options {
    std::size_t depth_max = 200;        // nested collections
    bool allow_duplicate_keys = false;  // the last one counts
  };

  TreeBuilder(EventSource& events, const SourceText& source, Options options);

  // Replaces `tree` with the next document; false at the end of the file.
  Result<bool> read_document(Tree& tree);

 private:
  // A collection whose children are being read.
  struct Open {
    NodeId node;
    NodeId last_child = kNoNode;
    std::uint32_t children = 0;
  };
  struct Key {
    std::string_view text;
    NodeId node;
  };

  Result<void> read_nodes(Tree& tree);
  Result<void> add(Tree& tree, const Event& event);
  Result<void> close(const Tree& tree);
  Result<void> check_keys(const Tree& tree, NodeId mapping);
  void link(Tree& tree, NodeId id);

  EventSource& events_;
  const SourceText& source_;
  const Options options_;

  std::uint32_t scalars_ = 0;
  std::vector<Open> open_;
  std::unordered_map<std::string, NodeId> anchors_;
  std::vector<Key> keys_;  // kept to save allocations
};

}  // namespace windlass::manifest

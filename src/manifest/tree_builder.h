// TreeBuilder: reads the documents of an event source into a Tree, one after the other.
//
// It refuses what would be read in two ways or without end: duplicate keys, aliases without an
// anchor, nesting beyond a bound.
//
// Not thread-safe. The SourceText, the EventSource and the TreeWriter must outlive it.
#pragma once

#include <string>
#include <unordered_map>

#include "event.h"
#include "source_text.h"
#include "tree.h"
#include "tree_writer.h"

namespace windlass::manifest {

class TreeBuilder {
 public:
  struct Options {
    std::size_t depth_max = 200;        // nested collections
    bool allow_duplicate_keys = false;  // the last one counts
  };

  TreeBuilder(EventSource& events, const SourceText& source, TreeWriter& writer, Options options);

  // Replaces `tree` with the next document; false at the end of the file.
  Result<bool> read_document(Tree& tree);

 private:
  Result<void> read_nodes();
  Result<void> add(const Event& event);
  Result<NodeId> add_node(const Event& event);
  Result<void> close();

  EventSource& events_;
  const SourceText& source_;
  TreeWriter& writer_;
  const Options options_;

  std::unordered_map<std::string, NodeId> anchors_;
};

}  // namespace windlass::manifest

// Collector: turns the places where rules say that an image stands into findings.
//
// The rules know structure; the collector knows values: templates, variables, tags of YAML,
// comments that say ignore, anchors that are used several times, and the grammar of references.
//
// Not thread-safe. The SourceText must outlive it, and a tree its document.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "site.h"
#include "source_text.h"
#include "tree.h"
#include "windlass/manifest/finding.h"

namespace windlass::manifest {

// Whose image it is.
struct ImageContext {
  std::string_view object;
  std::string_view container;
  std::string_view rule;
};

class Collector {
 public:
  explicit Collector(const SourceText& source) : source_(source) {}

  void begin_document(const Tree& tree, std::size_t number);

  // `value`, or the anchored scalar it stands for, holds an image reference.
  void add(NodeId value, const ImageContext& context);

  // The same for a part of the text: `in_text` is its bytes in the decoded text.
  void add_part(NodeId value, Span in_text, const ImageContext& context);

  // An image is named here, but in a way that is not changed.
  void leave_alone(NodeId value, const ImageContext& context, std::string reason);

  // Moves out what was collected, in the order of the file; the two are of one size.
  void move_to(std::vector<Finding>& findings, std::vector<Site>& sites);

 private:
  struct Seen {
    std::size_t finding;
    bool by_alias;  // and not yet at its own place
  };

  // A new finding, or nullptr when the anchored node has one: then it is used once more.
  Finding* new_finding(NodeId value, const ImageContext& context);

  // Why the value is left as it is, or "".
  std::string reason_to_leave(NodeId value) const;
  void parse_reference(NodeId scalar, Span in_text, Finding& finding);
  bool ignored(NodeId id) const;

  const SourceText& source_;

  const Tree* tree_ = nullptr;
  std::size_t document_ = 0;
  std::unordered_map<NodeId, Seen> seen_;
  std::vector<Finding> findings_;
  std::vector<Site> sites_;
};

}  // namespace windlass::manifest

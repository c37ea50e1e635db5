#include "tree_builder.h"

#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

bool is_string_tag(std::string_view tag) { return tag == "!" || tag == "tag:yaml.org,2002:str"; }

// Shown to people only; a prefix could make it as long as a file, at every node.
constexpr std::size_t kTagBytesMax = 48;

}  // namespace

TreeBuilder::TreeBuilder(EventSource& events, const SourceText& source, TreeWriter& writer,
                         Options options)
    : events_(events), source_(source), writer_(writer), options_(options) {}

Result<bool> TreeBuilder::read_document(Tree& tree) {
  writer_.start(tree);
  anchors_.clear();
  const auto event = events_.next();
  if (!event) return fail(event.error());
  if (event->kind == EventKind::kStreamEnd) return false;
  if (auto read = read_nodes(); !read) return fail(std::move(read.error()));
  return true;
}

Result<void> TreeBuilder::read_nodes() {
  for (;;) {
    const auto event = events_.next();
    if (!event) return fail(event.error());
    switch (event->kind) {
      case EventKind::kDocumentEnd: return {};
      case EventKind::kSequenceEnd:
      case EventKind::kMappingEnd:
        if (auto closed = close(); !closed) return closed;
        break;
      default:
        if (auto added = add(*event); !added) return added;
        break;
    }
  }
}

Result<NodeId> TreeBuilder::add_node(const Event& event) {
  switch (event.kind) {
    case EventKind::kScalar: return writer_.add_scalar(event.style, event.span, event.value);
    case EventKind::kAlias: {
      const auto anchor = anchors_.find(std::string(event.anchor));
      if (anchor == anchors_.end()) {
        return fail(source_.error_at(
            event.span.begin,
            format("alias *{} has no anchor &{} above it", event.anchor, event.anchor)));
      }
      const NodeId id = writer_.add(NodeKind::kAlias, event.span);
      writer_.node(id).target = anchor->second;
      return id;
    }
    default: break;
  }
  if (writer_.depth() >= options_.depth_max) {
    return fail(source_.error_at(event.span.begin,
                                 format("nested more than {} levels deep", options_.depth_max)));
  }
  const bool is_mapping = event.kind == EventKind::kMappingStart;
  return writer_.open(is_mapping ? NodeKind::kMapping : NodeKind::kSequence, event.flow,
                      event.span);
}

Result<void> TreeBuilder::add(const Event& event) {
  const auto id = add_node(event);
  if (!id) return fail(id.error());
  Node& node = writer_.node(*id);
  node.is_string = is_string_tag(event.tag);
  if (!event.tag.empty() && !node.is_string)
    node.tag = writer_.store(event.tag.substr(0, kTagBytesMax));
  if (event.kind != EventKind::kAlias && !event.anchor.empty())
    anchors_.insert_or_assign(std::string(event.anchor), *id);
  return {};
}

Result<void> TreeBuilder::close() {
  const auto twice = options_.allow_duplicate_keys ? std::nullopt : writer_.find_duplicate_keys();
  if (!twice) {
    writer_.close();
    return {};
  }
  const Tree& tree = writer_.tree();
  const std::size_t first = tree[twice->first].span.begin;
  const std::size_t second = tree[twice->second].span.begin;
  return fail(source_.error_at(
      second, format("duplicate key {}: it stands on line {} already; keep one of the two",
                     windlass::quoted(tree.text(twice->first)), source_.location(first).line)));
}

}  // namespace windlass::manifest

#include "go_template.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";

// True when the value that begins at `at` would begin a YAML value: nothing but blanks and dashes
// in front of it, or the end of a key.
bool begins_value(std::string_view line, std::size_t at) {
  const std::size_t before = line.substr(0, at).find_last_not_of(" \t-");
  return before == std::string_view::npos || std::string_view(":,[{?").contains(line[before]);
}

// True when a template inside double or single quotes holds quotes of the same kind.
bool breaks_quotes(std::string_view line, std::size_t at) {
  const std::size_t quote = line.substr(0, at).find_first_of("\"'");
  if (quote == std::string_view::npos) return false;
  const std::string_view action = line.substr(at, line.find(kClose, at) - at);
  return action.contains(line[quote]);
}

}  // namespace

std::optional<std::size_t> find_template_in_text(std::string_view bytes) {
  for (std::size_t at = bytes.find(kOpen); at != std::string_view::npos;
       at = bytes.find(kOpen, at + kOpen.size())) {
    if (at > 0 && bytes[at - 1] == '$') continue;
    const std::size_t begin = bytes.rfind('\n', at) + 1;
    const std::string_view line = bytes.substr(begin, bytes.find('\n', at) - begin);
    if (line.find_first_not_of(" \t") == line.find('#')) continue;
    if (begins_value(line, at - begin) || breaks_quotes(line, at - begin)) return at;
  }
  return std::nullopt;
}

std::optional<std::size_t> find_template_in_tree(const Tree& tree) {
  for (NodeId id = 0; id < tree.size(); ++id) {
    const Node& node = tree[id];
    const bool is_flow_mapping = node.kind == NodeKind::kMapping && node.flow;
    if (!is_flow_mapping || node.first_child == kNoNode) continue;
    const Node& first = tree[node.first_child];
    if (first.kind == NodeKind::kMapping && first.flow && first.span.begin == node.span.begin + 1)
      return node.span.begin;
  }
  return std::nullopt;
}

}  // namespace windlass::manifest

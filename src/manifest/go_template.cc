#include "go_template.h"

#include <algorithm>

namespace windlass::manifest {
namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";

// Finds again and again in one text, from places that only go on, in time linear in the text.
class NextPlace {
 public:
  NextPlace(std::string_view text, std::string_view wanted) : text_(text), wanted_(wanted) {}

  // Of the next one at or behind `from`; the text's size when there is none.
  std::size_t after(std::size_t from) {
    if (!has_searched_ || found_ < from) found_ = std::min(text_.find(wanted_, from), text_.size());
    has_searched_ = true;
    return found_;
  }

 private:
  const std::string_view text_;
  const std::string_view wanted_;
  std::size_t found_ = 0;
  bool has_searched_ = false;
};

// True when the value that begins at `at` would begin a YAML value: nothing but blanks and dashes
// in front of it, or the end of a key.
bool begins_value(std::string_view line, std::size_t at) {
  const std::size_t before = line.substr(0, at).find_last_not_of(" \t-");
  return before == std::string_view::npos || std::string_view(":,[{?").contains(line[before]);
}

std::optional<std::size_t> find_template_in_line(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || line[first] == '#') return std::nullopt;
  const std::size_t quote = std::min(line.find_first_of("\"'"), line.size());
  NextPlace close(line, kClose);
  NextPlace same_quote(line, line.substr(quote, 1));
  for (std::size_t at = line.find(kOpen); at != std::string_view::npos;
       at = line.find(kOpen, at + kOpen.size())) {
    if (at > 0 && line[at - 1] == '$') continue;
    if (begins_value(line, at)) return at;
    // Inside quotes it holds quotes of the same kind.
    if (quote < at && same_quote.after(at) < close.after(at)) return at;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::size_t> find_template_in_text(std::string_view bytes) {
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    if (const auto at = find_template_in_line(bytes.substr(begin, end - begin))) return begin + *at;
    begin = end + 1;
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

#include "windlass/manifest/rules.h"

#include <utility>

#include "path_pattern.h"
#include "source_text.h"
#include "tree_builder.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "yaml_events.h"

namespace windlass::manifest {
namespace {

class RulesReader {
 public:
  RulesReader(const SourceText& source, const Tree& tree) : source_(source), tree_(tree) {}

  Result<std::vector<PathRule>> read() {
    const NodeId list = tree_.resolve(tree_.find(tree_.root(), "rules"));
    if (!tree_.is_sequence(list)) return expected(tree_.root(), "rules: and a list of rules");
    for (NodeId rule = tree_[list].first_child; rule != kNoNode; rule = tree_[rule].next) {
      if (auto added = add_rule(rule); !added) return fail(std::move(added.error()));
    }
    return std::move(rules_);
  }

 private:
  std::unexpected<Error> expected(NodeId at, std::string_view what) const {
    const std::size_t byte = at == kNoNode ? source_.text_begin() : tree_[at].span.begin;
    return fail(source_.error_at(byte, format("expected {}", what)));
  }

  Result<void> add_rule(NodeId rule) {
    const std::string_view kind = tree_.text_at(rule, "kind");
    const NodeId paths = tree_.resolve(tree_.find(rule, "paths"));
    if (kind.empty()) return expected(rule, "a rule with a kind");
    if (!tree_.is_sequence(paths)) return expected(rule, "a rule with a list of paths");
    for (NodeId key = tree_[tree_.resolve(rule)].first_child; key != kNoNode;) {
      const std::string_view name = tree_.text_of_scalar(key);
      if (name != "kind" && name != "paths")
        return expected(key, format("kind or paths, found {}", windlass::quoted(name)));
      key = tree_[tree_[key].next].next;
    }
    for (NodeId path = tree_[paths].first_child; path != kNoNode; path = tree_[path].next) {
      const std::string_view text = tree_.text_of_scalar(path);
      if (!is_path_pattern(text)) {
        return expected(path, format("a path such as spec.sidecars[*].image, found {}",
                                     windlass::quoted(text)));
      }
      rules_.push_back({.kind = std::string(kind), .path = std::string(text)});
    }
    return {};
  }

  const SourceText& source_;
  const Tree& tree_;
  std::vector<PathRule> rules_;
};

}  // namespace

Result<std::vector<PathRule>> parse_rules(std::string_view file_name, std::string_view bytes) {
  const auto source = SourceText::create(file_name, bytes);
  if (!source) return fail(source.error());
  YamlEvents events(*source);
  TreeWriter writer;
  TreeBuilder builder(events, *source, writer, {});
  Tree tree;
  const auto document = builder.read_document(tree);
  if (!document) return fail(document.error());
  return RulesReader(*source, tree).read();
}

}  // namespace windlass::manifest

#include "windlass/manifest/rules.h"

#include <optional>
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
    if (kind.empty()) return expected(rule, "a rule with a kind");
    std::size_t lists = 0;
    for (NodeId key = tree_[tree_.resolve(rule)].first_child; key != kNoNode;) {
      const std::string_view name = tree_.text_of_scalar(key);
      const NodeId value = tree_[key].next;
      if (name != "kind") {
        const auto target = target_of(name);
        if (!target)
          return expected(key,
                          format("kind, paths, env or args, found {}", windlass::quoted(name)));
        if (auto added = add_list(kind, *target, value); !added) return added;
        ++lists;
      }
      key = tree_[value].next;
    }
    if (lists == 0) return expected(rule, "a rule with a list of paths");
    return {};
  }

  static std::optional<RuleTarget> target_of(std::string_view key) {
    if (key == "paths") return RuleTarget::kPath;
    if (key == "env") return RuleTarget::kVariable;
    if (key == "args") return RuleTarget::kArgument;
    return std::nullopt;
  }

  Result<void> add_list(std::string_view kind, RuleTarget target, NodeId value) {
    const NodeId list = tree_.resolve(value);
    if (!tree_.is_sequence(list)) return expected(list, "a list");
    for (NodeId item = tree_[list].first_child; item != kNoNode; item = tree_[item].next) {
      const std::string_view text = tree_.text_of_scalar(item);
      const std::string_view problem = target == RuleTarget::kPath ? problem_of_path(text) : "";
      if (!problem.empty()) {
        return expected(item, format("{}, found {}", problem, windlass::quoted(text)));
      }
      if (text.empty()) return expected(item, "a name");
      if (target == RuleTarget::kVariable && text.find('*') < text.size() - 1) {
        return expected(item,
                        format("a * at the end of a name only, found {}", windlass::quoted(text)));
      }
      rules_.push_back({.kind = std::string(kind),
                        .path = std::string(text),
                        .target = target,
                        .place = source_.error_at(tree_[item].span.begin, "").message});
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
  auto rules = RulesReader(*source, tree).read();
  if (!rules) return rules;
  const auto another = builder.read_document(tree);
  if (!another) return fail(another.error());
  if (*another) {
    return fail(source->error_at(tree[tree.root()].span.begin,
                                 "expected one document: write all rules in one list"));
  }
  return rules;
}

}  // namespace windlass::manifest

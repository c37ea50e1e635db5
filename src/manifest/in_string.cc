#include "in_string.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>
#include <utility>

#include "file_ending.h"
#include "proved_edit.h"
#include "reader.h"
#include "splice.h"
#include "text_map.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kRule = "YAML or JSON in a string";

constexpr const char* kFolded =
    "names images, but its lines are folded or escaped in a way that cannot be kept: write it as a "
    "literal block (|)";
constexpr const char* kShared =
    "names images, and is shared by an alias with another place: write the two apart";

// Where a text is a file of its own for certain.
struct KnownText {
  std::string_view kind;  // of the object, "" for a compose file
  std::string_view path;
  Format format;
};

constexpr KnownText kKnownTexts[] = {
    {"", "services.*.build.dockerfile_inline", Format::kDockerfile},
    {"HelmChart", "spec.valuesContent", Format::kHelmValues},
    {"HelmChartConfig", "spec.valuesContent", Format::kHelmValues},
    {"Application", "spec.source.helm.values", Format::kHelmValues},
    {"Application", "spec.sources[*].helm.values", Format::kHelmValues},
    {"ApplicationSet", "spec.template.spec.source.helm.values", Format::kHelmValues},
    {"ApplicationSet", "spec.template.spec.sources[*].helm.values", Format::kHelmValues},
};

// What to make of a text.
struct TextKind {
  std::optional<Format> format;
  bool is_named = false;    // by its key, as a file is by its name
  bool is_certain = false;  // nobody reads it as anything else
};

// A text without a place would be told as a file of its own: what is wrong with it, without that.
std::string without_place(const Finding& finding) {
  const std::string place = format(":{}:{}: ", finding.location.line, finding.location.column);
  return finding.reason.starts_with(place) ? finding.reason.substr(place.size()) : finding.reason;
}

bool has_any(const Reading& reading, std::initializer_list<FindingState> states) {
  return std::ranges::any_of(reading.findings, [&](const Finding& finding) {
    return std::ranges::find(states, finding.state) != states.end();
  });
}

bool is_in_brackets(std::string_view text) {
  text = trim(text);
  return text.starts_with('{') || text.starts_with('[');
}

// The texts of one document.
class Strings {
 public:
  Strings(const Tree& tree, const SourceText& source, const Manifest::Options& options,
          Collector& collector)
      : tree_(tree), source_(source), collector_(collector) {
    options_.allow_duplicate_keys = options.allow_duplicate_keys;
    options_.rules = options.rules;
  }

  void add_data(NodeId data, const std::string& object) {
    for (NodeId key = tree_[data].first_child; key != kNoNode;) {
      const NodeId value = tree_[key].next;
      if (tree_.is_scalar(key)) {
        const std::string_view name = tree_.text_of_scalar(key);
        const bool is_named = has_data_ending(name);
        if (is_named || tree_.text_of_scalar(value).contains("image")) {
          add_text(
              value, object,
              {.format = is_named ? format_of_name(name) : std::nullopt, .is_named = is_named});
        }
      }
      key = tree_[value].next;
    }
  }

  void add_text(NodeId value, std::string_view object, const TextKind& kind) {
    if (tree_[value].kind != NodeKind::kScalar || !tree_.tag(value).empty()) return;
    const std::string_view text = tree_.text(value);
    const ImageContext context{.object = object, .container = {}, .rule = kRule};
    const auto inner = SourceText::create("", text);
    if (!inner) return;
    auto reading = read(*inner, kind.format, options_, true, true);
    if (!reading) return tell_unreadable(value, context, kind);
    for (std::size_t i = 0; i < reading->used_rules.size(); ++i) {
      if (reading->used_rules[i]) collector_.note_rule(i);
    }
    if (!reading->left_alone.empty()) {
      return collector_.leave_alone(
          value, context, reading->left_alone,
          kind.is_certain ? FindingState::kNotKnown : FindingState::kLeftAlone);
    }
    using enum FindingState;
    if (!has_any(*reading, {kUnpinned, kPinned, kNotKnown, kUnpinnable, kInvalid})) return;
    if (collector_.says_ignore(value))
      return collector_.leave_alone(value, context, "a comment says ignore");
    const Node& node = tree_[value];
    const auto map = TextMap::locate(source_.bytes(), node.span, node.style, text);
    if (!map || is_shared(value)) {
      const char* const reason = map ? kShared : kFolded;
      return has_any(*reading, {kUnpinned}) ? collector_.tell(value, {}, context, reason)
                                            : collector_.leave_alone(value, context, reason);
    }
    const auto string = std::make_shared<const InString>(
        InString{.ordinal = node.ordinal, .text = std::string(text), .format = kind.format});
    for (std::size_t i = 0; i < reading->findings.size(); ++i) {
      add_image(value, *map, string, std::move(reading->findings[i]), std::move(reading->sites[i]),
                kind.is_certain);
    }
  }

 private:
  // Any text may be no YAML; one that says that it is, is told.
  void tell_unreadable(NodeId value, const ImageContext& context, const TextKind& kind) {
    if (kind.is_certain) {
      collector_.tell(value, {}, context, "cannot be read as the YAML or JSON that it has to be");
    } else if (kind.is_named) {
      collector_.leave_alone(value, context, "is named as YAML or JSON and cannot be read as such");
    }
  }

  // What is used elsewhere too would change there.
  bool is_shared(NodeId value) {
    if (!tree_.has_aliases()) return false;
    if (!shared_) {
      shared_.emplace();
      for (NodeId id = 0; id < tree_.size(); ++id)
        if (tree_[id].kind == NodeKind::kAlias) shared_->insert(tree_[id].target);
    }
    return shared_->contains(value);
  }

  void add_image(NodeId value, const TextMap& map, const std::shared_ptr<const InString>& string,
                 Finding finding, Site site, bool is_certain) {
    const ScalarStyle style = tree_[value].style;
    if (finding.state == FindingState::kInvalid) {
      // Whoever reads the text may make an image of it: nobody is stopped by it.
      finding.state = is_certain ? FindingState::kUnpinnable : FindingState::kLeftAlone;
      finding.reason = without_place(finding);
    } else if (site.needs_quotes && style == ScalarStyle::kDoubleQuoted) {
      site.quote = '\'';
      // Whoever reads JSON knows no other quotes.
      if (is_in_brackets(string->text)) {
        finding.state = FindingState::kUnpinnable;
        finding.reason = "a tag that reads as a number needs quotes, which have no place in quotes";
      }
    }
    finding.span = map.in_file(finding.span);
    finding.location = source_.location(finding.span.begin);
    finding.path = format("{}: {}", tree_.path(value), finding.path);
    finding.rule += ", in a string";
    site.may_have_comment = site.may_have_comment && style == ScalarStyle::kLiteral;
    Site outer = site;
    for (Span Site::* bytes : {&Site::tag_bytes, &Site::digest_bytes, &Site::comment_bytes,
                               &Site::removable_comment_bytes, &Site::scalar_bytes}) {
      outer.*bytes = map.in_file(site.*bytes);
    }
    outer.inner =
        std::make_shared<const InnerSite>(InnerSite{.string = string, .site = std::move(site)});
    collector_.add_in_string(value, std::move(finding), std::move(outer));
  }

  const Tree& tree_;
  const SourceText& source_;
  Collector& collector_;
  Manifest::Options options_;
  std::optional<std::unordered_set<NodeId>> shared_;  // nodes with aliases, once they are asked for
};

}  // namespace

void find_in_strings(const Tree& tree, const SourceText& source, const Manifest::Options& options,
                     Collector& collector) {
  Strings strings(tree, source, options, collector);
  for (NodeId id = 0; id < tree.size(); ++id) {
    if (tree[id].kind != NodeKind::kMapping || tree.text_at(id, "kind") != "ConfigMap") continue;
    const NodeId data = tree.find(id, "data");
    if (data == kNoNode || tree[data].kind != NodeKind::kMapping) continue;
    const std::string_view name = tree.text_at(tree.find(id, "metadata"), "name");
    strings.add_data(data, format("ConfigMap/{}", name));
  }
}

void find_in_known_texts(const Tree& tree, const SourceText& source, Format format,
                         const Manifest::Options& options, VisitBudget& budget,
                         Collector& collector) {
  // Most documents have none of them.
  if (!tree.holds_text("values") && !tree.holds_text("dockerfile_inline")) return;
  Strings strings(tree, source, options, collector);
  const auto add_texts_of = [&](NodeId node, std::string_view kind, std::string_view object) {
    for (const KnownText& known : kKnownTexts) {
      if (known.kind != kind) continue;
      for_each_match(tree, node, kNoNode, known.path, budget, [&](const Match& match) {
        const bool is_new = !collector.has_finding(match.value);
        if (is_new)
          strings.add_text(tree.resolve(match.value), object,
                           {.format = known.format, .is_certain = true});
      });
    }
  };
  if (format == Format::kCompose) return add_texts_of(tree.root(), "", "compose");
  if (format != Format::kKubernetes) return;
  for (NodeId id = 0; id < tree.size(); ++id) {
    if (tree[id].kind != NodeKind::kMapping) continue;
    const std::string_view kind = tree.text_at(id, "kind");
    if (kind.empty() || std::ranges::none_of(kKnownTexts, [&](const KnownText& known) {
          return known.kind == kind;
        }))
      continue;
    const std::string_view name = tree.text_at(tree.find(id, "metadata"), "name");
    add_texts_of(id, kind, windlass::format("{}/{}", kind, name));
  }
}

Result<std::vector<ScalarChange>> changes_in_strings(std::span<const Edit> edits,
                                                     std::span<const Site> sites) {
  struct Changes {
    const InString* string = nullptr;
    std::vector<Replacement> replacements;
    std::vector<ScalarChange> changes;
  };
  std::map<std::size_t, Changes> by_ordinal;
  for (const Edit& edit : edits) {
    const auto& inner = sites[edit.finding].inner;
    if (inner == nullptr) continue;
    Changes& of_string = by_ordinal[inner->string->ordinal];
    of_string.string = inner->string.get();
    std::ranges::move(replacements_at(inner->site, edit),
                      std::back_inserter(of_string.replacements));
    of_string.changes.push_back(change_at(inner->site, edit));
  }
  std::vector<ScalarChange> out;
  for (auto& [ordinal, of_string] : by_ordinal) {
    std::ranges::sort(of_string.replacements, {},
                      [](const Replacement& replacement) { return replacement.bytes.begin; });
    const InString& string = *of_string.string;
    auto text = proved_edit("", string.text, string.format, of_string.replacements,
                            std::move(of_string.changes));
    if (!text) return fail(std::move(text.error()));
    out.push_back({.ordinal = ordinal, .value = std::move(*text)});
  }
  return out;
}

}  // namespace windlass::manifest

#include "in_string.h"

#include <algorithm>
#include <iterator>
#include <map>
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

// A text without a place would be told as a file of its own: what is wrong with it, without that.
std::string without_place(const Finding& finding) {
  const std::string place = format(":{}:{}: ", finding.location.line, finding.location.column);
  return finding.reason.starts_with(place) ? finding.reason.substr(place.size()) : finding.reason;
}

bool names_images(const Reading& reading) {
  return std::ranges::any_of(reading.findings, [](const Finding& finding) {
    return finding.state != FindingState::kLeftAlone;
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
      const bool is_text = tree_[value].kind == NodeKind::kScalar && tree_.tag(value).empty();
      if (is_text && tree_.is_scalar(key) && !is_shared(value))
        add_text(value, tree_.text_of_scalar(key), object);
      key = tree_[value].next;
    }
  }

 private:
  // What is used elsewhere too would change there.
  bool is_shared(NodeId value) const {
    if (!tree_.has_aliases()) return false;
    for (NodeId id = value; id < tree_.size(); ++id) {
      if (tree_[id].kind == NodeKind::kAlias && tree_[id].target == value) return true;
    }
    return false;
  }

  void add_text(NodeId value, std::string_view key, const std::string& object) {
    const std::string_view text = tree_.text(value);
    if (!text.contains("image") && !has_data_ending(key)) return;
    const ImageContext context{.object = object, .container = {}, .rule = kRule};
    const auto inner = SourceText::create("", text);
    if (!inner) return;
    std::optional<Format> format = has_data_ending(key) ? format_of_name(key) : std::nullopt;
    auto reading = read(*inner, format, options_);
    if (!reading) {
      // Any text may be no YAML; one that says that it is, is told.
      if (has_data_ending(key))
        collector_.leave_alone(value, context,
                               "is named as YAML or JSON and cannot be read as such");
      return;
    }
    if (!reading->left_alone.empty()) {
      collector_.leave_alone(value, context, reading->left_alone);
      return;
    }
    if (!names_images(*reading)) return;
    if (collector_.says_ignore(value)) {
      collector_.leave_alone(value, context, "a comment says ignore");
      return;
    }
    const Node& node = tree_[value];
    const auto map = TextMap::locate(source_.bytes(), node.span, node.style, text);
    if (!map) {
      collector_.leave_alone(value, context,
                             "names images, but its lines are folded or escaped in a way that "
                             "cannot be kept: write it as a literal block (|)");
      return;
    }
    const auto string = std::make_shared<const InString>(
        InString{.ordinal = node.ordinal, .text = std::string(text), .format = format});
    for (std::size_t i = 0; i < reading->findings.size(); ++i) {
      add_image(value, *map, string, std::move(reading->findings[i]), std::move(reading->sites[i]));
    }
  }

  void add_image(NodeId value, const TextMap& map, const std::shared_ptr<const InString>& string,
                 Finding finding, Site site) {
    const ScalarStyle style = tree_[value].style;
    if (finding.state == FindingState::kInvalid) {
      // Whoever reads the text may make an image of it: nobody is stopped by it.
      finding.state = FindingState::kLeftAlone;
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

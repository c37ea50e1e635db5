#include "windlass/manifest/manifest.h"

#include <algorithm>
#include <utility>

#include "collector.h"
#include "go_template.h"
#include "kubernetes.h"
#include "site.h"
#include "source_text.h"
#include "splice.h"
#include "tree_builder.h"
#include "windlass/base/check.h"
#include "windlass/base/format.h"
#include "yaml_events.h"

namespace windlass::manifest {
namespace {

std::string template_reason(const SourceText& source, std::size_t at) {
  return format("looks like a Go template (line {})", source.location(at).line);
}

// What one pass over a file gives.
struct Reading {
  std::size_t documents = 0;
  std::string left_alone;
  std::vector<Finding> findings;
  std::vector<Site> sites;
};

Result<Reading> read(const SourceText& source, const Manifest::Options& options) {
  YamlEvents events(source);
  TreeBuilder builder(events, source, {.allow_duplicate_keys = options.allow_duplicate_keys});
  const bool may_be_template = source.bytes().contains("{{");
  Collector collector(source);
  Reading reading;
  for (Tree tree;;) {
    const auto more = builder.read_document(tree);
    if (!more) {
      const auto at = may_be_template ? find_template_in_text(source.bytes()) : std::nullopt;
      if (!at) return fail(more.error());
      return Reading{.left_alone = template_reason(source, *at)};
    }
    if (!*more) break;
    ++reading.documents;
    if (may_be_template) {
      if (const auto at = find_template_in_tree(tree))
        return Reading{.left_alone = template_reason(source, *at)};
    }
    collector.begin_document(tree, reading.documents);
    if (!is_kubernetes_object(tree, tree.root())) continue;
    VisitBudget budget(tree);
    find_in_kubernetes(tree, tree.root(), budget, collector);
    if (budget.spent()) {
      return fail(source.error_at(tree[tree.root()].span.begin,
                                  "aliases of this document lead to endlessly many places"));
    }
  }
  collector.move_to(reading.findings, reading.sites);
  return reading;
}

}  // namespace

Manifest::Manifest() = default;
Manifest::Manifest(const Manifest&) = default;
Manifest::Manifest(Manifest&&) noexcept = default;
Manifest& Manifest::operator=(const Manifest&) = default;
Manifest& Manifest::operator=(Manifest&&) noexcept = default;
Manifest::~Manifest() = default;

Result<Manifest> Manifest::parse(std::string file_name, std::string bytes, const Options& options) {
  if (bytes.size() > options.bytes_max) {
    return fail(ErrorCode::kInvalid, format("{}: {} bytes; at most {} are read", file_name,
                                            bytes.size(), options.bytes_max));
  }
  Manifest manifest;
  manifest.options_ = options;
  manifest.file_name_ = std::move(file_name);
  manifest.bytes_ = std::move(bytes);
  const auto source = SourceText::create(manifest.file_name_, manifest.bytes_);
  if (!source) return fail(source.error());
  auto reading = read(*source, options);
  if (!reading) return fail(std::move(reading.error()));
  manifest.documents_ = reading->documents;
  manifest.left_alone_ = std::move(reading->left_alone);
  manifest.findings_ = std::move(reading->findings);
  manifest.sites_ = std::move(reading->sites);
  return manifest;
}

std::vector<Replacement> Manifest::replacements(std::span<const Edit> edits) const {
  std::vector<Replacement> out;
  out.reserve(edits.size());
  for (const Edit& edit : edits) {
    WINDLASS_CHECK(edit.finding < findings_.size() && findings_[edit.finding].reference);
    Replacement replacement = replacement_at(sites_[edit.finding], edit);
    if (replacement.bytes.of(bytes_) != replacement.text) out.push_back(std::move(replacement));
  }
  std::sort(out.begin(), out.end(), [](const Replacement& a, const Replacement& b) {
    return a.bytes.begin < b.bytes.begin;
  });
  return out;
}

Result<std::string> Manifest::edited(std::span<const Edit> edits) const {
  const std::vector<Replacement> replaced = replacements(edits);
  if (replaced.empty()) return bytes_;
  std::vector<ScalarChange> changes;
  changes.reserve(edits.size());
  for (const Edit& edit : edits) changes.push_back(change_at(sites_[edit.finding], edit));
  std::sort(changes.begin(), changes.end(),
            [](const ScalarChange& a, const ScalarChange& b) { return a.ordinal < b.ordinal; });

  std::string text = splice(bytes_, replaced);
  const auto source_before = SourceText::create(file_name_, bytes_);
  const auto source_after = SourceText::create(file_name_, text);
  WINDLASS_CHECK(source_before && source_after);
  YamlEvents before(*source_before);
  YamlEvents after(*source_after);
  if (auto proved = prove_only_changed(before, after, changes); !proved)
    return fail(std::move(proved.error()), file_name_);
  return text;
}

}  // namespace windlass::manifest

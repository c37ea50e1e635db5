#include "reader.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "collector.h"
#include "compose.h"
#include "dockerfile.h"
#include "documents.h"
#include "go_template.h"
#include "helm_values.h"
#include "in_string.h"
#include "kubernetes.h"
#include "kustomization.h"
#include "possible_images.h"
#include "windlass/base/format.h"
#include "workflow.h"

namespace windlass::manifest {
namespace {

// Objects say what they are; the name of the file decides about the rest, then the shape.
std::optional<Format> format_of(const Tree& tree, std::optional<Format> by_name) {
  const NodeId root = tree.root();
  if (is_kubernetes_object(tree, root))
    return is_kustomization(tree, root) ? Format::kKustomization : Format::kKubernetes;
  if (is_list_of_objects(tree, root)) return Format::kKubernetes;
  if (by_name) return by_name;
  if (is_compose_file(tree, root)) return Format::kCompose;
  if (is_workflow(tree, root)) return Format::kWorkflow;
  return std::nullopt;
}

void find_images(Format format, const Tree& tree, const Manifest::Options& options,
                 VisitBudget& budget, Collector& collector) {
  switch (format) {
    case Format::kKubernetes:
      return find_in_kubernetes(
          tree, tree.root(), {.rules = options.rules, .identify_objects = options.identify_objects},
          budget, collector);
    case Format::kKustomization: return find_in_kustomization(tree, budget, collector);
    case Format::kHelmValues: return find_in_helm_values(tree, tree.root(), "values", collector);
    case Format::kCompose: return find_in_compose(tree, budget, collector);
    case Format::kWorkflow: return find_in_workflow(tree, budget, collector);
    case Format::kDockerfile: return find_in_dockerfile(tree, collector);
  }
}

constexpr std::array<std::string_view, 6> kObjectKeys = {"metadata",   "spec",  "data",
                                                         "stringData", "items", "template"};
constexpr std::array<std::string_view, 4> kComposeKeys = {"services", "volumes", "configs",
                                                          "secrets"};
constexpr std::array<std::string_view, 3> kWorkflowKeys = {"env", "jobs", "runs"};

// See Collector::leave_shared_values_alone(). What the values of a chart mean, nobody knows.
std::span<const std::string_view> meaningful_keys(Format format) {
  switch (format) {
    case Format::kKubernetes: return kObjectKeys;
    case Format::kCompose: return kComposeKeys;
    case Format::kWorkflow: return kWorkflowKeys;
    case Format::kKustomization:
    case Format::kHelmValues:
    case Format::kDockerfile: break;
  }
  return {};
}

}  // namespace

Result<Reading> read(const SourceText& source, std::optional<Format> format,
                     const Manifest::Options& options, bool quick, bool within_text) {
  const Syntax syntax = syntax_of(source, format);
  Documents documents(source, syntax,
                      {.allow_duplicate_keys = options.allow_duplicate_keys, .quick = quick});
  const bool may_be_template = syntax != Syntax::kDockerfile && source.bytes().contains("{{");
  Collector collector(source, syntax == Syntax::kYaml);
  PossibleImages possible(source, syntax == Syntax::kDockerfile, collector);
  Reading reading;
  const auto leave_alone_as_template = [&](std::size_t at) {
    reading = {};
    reading.left_alone =
        windlass::format("looks like a Go template (line {})", source.location(at).line);
    Collector words(source, false);
    if (options.list_possible) PossibleImages(source, false, words).add_file(reading.left_alone);
    words.move_to(reading.findings, reading.sites);
    return std::move(reading);
  };
  for (Tree tree;;) {
    const auto more = documents.read_document(tree);
    if (!more) {
      const auto at = may_be_template ? find_template_in_text(source.bytes()) : std::nullopt;
      if (at) return leave_alone_as_template(*at);
      return fail(more.error());
    }
    if (!*more) break;
    ++reading.documents;
    if (may_be_template) {
      if (const auto at = find_template_in_tree(tree)) return leave_alone_as_template(*at);
    }
    collector.begin_document(tree, reading.documents);
    VisitBudget budget(tree);
    const auto format_here = options.format ? options.format : format_of(tree, format);
    if (format_here && !budget.spent()) {
      find_images(*format_here, tree, options, budget, collector);
      if (!within_text) find_in_known_texts(tree, source, *format_here, options, budget, collector);
      collector.leave_shared_values_alone(meaningful_keys(*format_here));
    }
    if (budget.spent()) {
      return fail(source.error_at(tree[tree.root()].span.begin,
                                  "aliases of this document lead to endlessly many places"));
    }
    if (options.in_strings && !budget.spent()) find_in_strings(tree, source, options, collector);
    if (options.list_possible) possible.add_document(tree);
  }
  if (options.list_possible) possible.add_rest();
  reading.used_rules = collector.used_rules();
  collector.move_to(reading.findings, reading.sites);
  return reading;
}

}  // namespace windlass::manifest

#include "collector.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "plain_scalar.h"
#include "scalar_text.h"
#include "tag_comment.h"
#include "variable.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::string_view kPublicTags = "tag:yaml.org,2002:";

constexpr std::string_view kTagOfNothing = "!reset";

constexpr std::string_view kNothing = "nothing";

// What stands there instead of a text, or "".
std::string other_than_text(const Tree& tree, NodeId id) {
  const Node& node = tree[id];
  if (node.kind == NodeKind::kMapping) return "a mapping";
  if (node.kind == NodeKind::kSequence) return "a list";
  const std::string_view text = tree.text(id);
  if (text.empty()) return std::string(kNothing);
  if (node.style != ScalarStyle::kPlain || node.is_string) return {};
  const auto unquoted = [&](std::string_view kind) {
    return format("the {} {}: put it in quotes if it is a name", kind, printable(text));
  };
  switch (meaning_of_plain(text)) {
    case PlainMeaning::kText: return {};
    case PlainMeaning::kNull: return std::string(kNothing);
    case PlainMeaning::kBoolean: return unquoted("truth value");
    case PlainMeaning::kNumber: return unquoted("number");
    case PlainMeaning::kTimestamp: return unquoted("date");
  }
  return {};
}

std::string shown_tag(std::string_view tag) {
  if (tag.starts_with(kPublicTags)) return "!!" + std::string(tag.substr(kPublicTags.size()));
  return tag.starts_with('!') ? std::string(tag) : format("!<{}>", tag);
}

// "sha256:" and 64 hex digits would pass for a name and a tag.
bool is_image_id(std::string_view text) {
  return text.starts_with("sha") && image::Digest::parse(text).has_value();
}

bool names_pinned(std::string_view text) {
  const auto reference = image::ImageReference::parse(text);
  return reference && reference->is_pinned();
}

// "!*:latest", "quay.io/* | ghcr.io/*": no reference has these characters.
bool is_pattern(std::string_view text) {
  return text.find_first_of("*?!|&<>") != std::string_view::npos;
}

}  // namespace

void Collector::begin_document(const Tree& tree, std::size_t number) {
  tree_ = &tree;
  document_ = number;
  seen_.clear();
  used_aliases_.clear();
}

void Collector::add(NodeId value, const ImageContext& context) {
  const NodeId scalar = tree_->resolve(value);
  const std::size_t size = tree_->is_scalar(scalar) ? tree_->text(scalar).size() : 0;
  add_part(value, {.begin = 0, .end = size}, context);
}

void Collector::add_part(NodeId value, Span in_text, const ImageContext& context) {
  Finding* finding = new_finding(value, context);
  const NodeId scalar = tree_->resolve(value);
  if (finding == nullptr) {
    const Seen& seen = seen_.at(scalar);
    if (seen.left_alone) leave_where_used_twice(scalar, findings_[seen.finding].reason);
    return;
  }
  finding->reason = reason_to_leave(value);
  if (!finding->reason.empty()) return;
  if (!tree_->tag(scalar).empty()) return tell_tagged(scalar, context.expected, *finding);
  if (!is_text(scalar, context.expected, *finding)) return;
  if (tree_->is_key(scalar)) {
    return cannot_change(in_text.of(tree_->text(scalar)), "anchored at a key, which must stay",
                         *finding);
  }
  if (has_variable(in_text.of(tree_->text(scalar)), *finding)) return;
  if (is_image_id(in_text.of(tree_->text(scalar))))
    finding->reason = "an image's ID on some machine: no registry knows it";
  if (finding->reason.empty() && context.expected == Expected::kPerhapsImage &&
      is_pattern(in_text.of(tree_->text(scalar))))
    finding->reason = "a pattern, as policies have them: no image is named";
  if (!finding->reason.empty()) return;
  finding->text = in_text.of(tree_->text(scalar));
  parse_reference(scalar, in_text, context.expected, *finding);
}

void Collector::tell(NodeId value, std::string_view text, const ImageContext& context,
                     std::string reason) {
  Finding* finding = new_finding(value, context);
  if (finding == nullptr) return;
  finding->reason = reason_to_leave(value);
  if (!finding->reason.empty()) return;
  cannot_change(text, std::move(reason), *finding);
  if (!names_pinned(text)) finding->state = FindingState::kUnpinnable;
}

// What a program makes of a tag of its own, nobody else knows.
void Collector::tell_tagged(NodeId value, Expected expected, Finding& finding) {
  const std::string_view tag = tree_->tag(value);
  const std::string_view text = tree_->text_of_scalar(value);
  if (tag == kTagOfNothing) {
    finding.reason = "tagged !reset: compose takes the value away";
    return;
  }
  if (has_variable(text, finding)) return;
  cannot_change(text, format("tagged {}: not plain text", shown_tag(tag)), finding);
  if (expected != Expected::kPerhapsImage && !names_pinned(text))
    finding.state = FindingState::kUnpinnable;
}

bool Collector::has_variable(std::string_view text, Finding& finding) {
  std::string reason = reason_by_variable(text);
  if (reason.empty()) return false;
  finding.state = FindingState::kNotKnown;
  finding.reason = std::move(reason);
  return true;
}

void Collector::leave_alone(NodeId value, const ImageContext& context, std::string reason,
                            FindingState state) {
  Finding* finding = new_finding(value, context);
  Seen& seen = seen_.at(tree_->resolve(value));
  if (finding == nullptr && findings_[seen.finding].state == FindingState::kUnpinned)
    return leave_where_used_twice(tree_->resolve(value), reason);
  if (finding == nullptr) finding = &findings_[seen.finding];
  seen.left_alone = true;
  finding->state = state;
  finding->reason = std::move(reason);
}

void Collector::leave_where_used_twice(NodeId scalar, const std::string& reason) {
  Seen& seen = seen_.at(scalar);
  seen.left_alone = false;
  Finding& finding = findings_[seen.finding];
  cannot_change(tree_->text(scalar),
                format("shared by alias with a place where it must stay as it is ({}): write the "
                       "two apart",
                       reason),
                finding);
}

void Collector::add_in_string(NodeId value, Finding finding, Site site) {
  seen_.try_emplace(value, Seen{.finding = findings_.size(), .by_alias = false});
  finding.document = document_;
  findings_.push_back(std::move(finding));
  sites_.push_back(std::move(site));
}

std::string_view Collector::top_level_key(NodeId id) const {
  NodeId top = id;
  while ((*tree_)[top].parent != tree_->root()) {
    if (top == tree_->root()) return {};
    top = (*tree_)[top].parent;
  }
  return tree_->text_of_scalar(tree_->key_of(top));
}

void Collector::leave_shared_values_alone(std::span<const std::string_view> meaningful_keys) {
  if (!tree_->has_aliases()) return;
  leave_values_of_other_aliases_alone(meaningful_keys);
  for (const auto& [node, seen] : seen_) {
    Finding& finding = findings_[seen.finding];
    if (!seen.by_alias || finding.state != FindingState::kUnpinned) continue;
    if (std::ranges::find(meaningful_keys, top_level_key(node)) == meaningful_keys.end()) continue;
    finding.state = FindingState::kUnpinnable;
    finding.reason =
        "the anchor of this image stands at a value that is no image, and pinning would change "
        "both: write the image without the alias";
  }
}

// A name or a tag with a digest behind it is no label, and what an environment variable is for,
// nobody knows.
void Collector::leave_values_of_other_aliases_alone(
    std::span<const std::string_view> meaningful_keys) {
  for (NodeId id = 0; id < tree_->size(); ++id) {
    if ((*tree_)[id].kind != NodeKind::kAlias || used_aliases_.contains(id)) continue;
    const auto seen = seen_.find(tree_->resolve(id));
    if (seen == seen_.end()) continue;
    Finding& finding = findings_[seen->second.finding];
    if (finding.state != FindingState::kUnpinned) continue;
    if (seen->second.is_part) {
      cannot_change(std::string(finding.text), kSharedParts, finding);
    } else if (std::ranges::find(meaningful_keys, top_level_key(id)) != meaningful_keys.end()) {
      cannot_change(std::string(finding.text),
                    format("its alias at {} is no image, and pinning would change both: write that "
                           "value without the alias",
                           tree_->path(id)),
                    finding);
    }
  }
}

void Collector::note(Span bytes, const ImageContext& context, std::string reason) {
  sites_.emplace_back();
  Finding& finding = findings_.emplace_back();
  finding.reason = std::move(reason);
  finding.document = std::max<std::size_t>(document_, 1);
  finding.path = context.path;
  finding.rule = context.rule;
  finding.span = bytes;
  finding.location = source_.location(bytes.begin);
  finding.text = bytes.of(source_.bytes());
}

void Collector::move_to(std::vector<Finding>& findings, std::vector<Site>& sites) {
  const auto begin = [](const Finding& finding) { return finding.span.begin; };
  if (std::ranges::is_sorted(findings_, {}, begin)) {
    findings = std::move(findings_);
    sites = std::move(sites_);
    return;
  }
  std::vector<std::size_t> order(findings_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return begin(findings_[i]); });
  findings.reserve(findings_.size());
  sites.reserve(sites_.size());
  for (const std::size_t i : order) {
    findings.push_back(std::move(findings_[i]));
    sites.push_back(std::move(sites_[i]));
  }
}

Finding* Collector::new_finding(NodeId value, const ImageContext& context) {
  const NodeId node = tree_->resolve(value);
  if (value != node) used_aliases_.insert(value);
  const auto set_context = [&](Finding& finding) {
    finding.object = context.object;
    finding.container = context.container;
    finding.rule = context.rule;
    if (context.identity != nullptr) finding.identity = *context.identity;
  };
  const auto [found, is_new] =
      seen_.try_emplace(node, Seen{.finding = findings_.size(), .by_alias = value != node});
  if (!is_new) {
    Seen& seen = found->second;
    Finding& finding = findings_[seen.finding];
    ++finding.uses;
    if (value != node && says_ignore(value)) {
      finding.state = FindingState::kLeftAlone;
      finding.reason = "a comment says ignore where it is used";
    }
    if (value == node && seen.by_alias) set_context(finding);
    seen.by_alias = seen.by_alias && value != node;
    return nullptr;
  }
  Finding& finding = findings_.emplace_back();
  sites_.emplace_back();
  finding.document = document_;
  finding.path = context.path.empty() ? tree_->path(node) : context.path;
  set_context(finding);
  finding.span = (*tree_)[node].span;
  finding.location = source_.location(finding.span.begin);
  if (tree_->is_scalar(node)) finding.text = tree_->text(node);
  return &finding;
}

bool Collector::says_ignore(NodeId id) const {
  const NodeId key = tree_->key_of(id);
  const Node& node = (*tree_)[id];
  return ignore_comments_.cover(key == kNoNode ? Span{} : (*tree_)[key].span, node.span,
                                node.style);
}

std::string Collector::reason_to_leave(NodeId value) const {
  const NodeId id = tree_->resolve(value);
  const bool ignored = says_ignore(id) || (id != value && says_ignore(value));
  return ignored ? "a comment says ignore" : "";
}

std::string Collector::error_at(NodeId id, const Finding& finding, std::string_view text) const {
  const std::string where = finding.path.empty() ? "" : finding.path + ": ";
  return source_.error_at((*tree_)[id].span.begin, where + std::string(text)).message;
}

bool Collector::is_text(NodeId id, Expected expected, Finding& finding) const {
  const std::string found = other_than_text(*tree_, id);
  if (found.empty()) return true;
  finding.reason = format("expected an image reference, found {}", found);
  const bool is_nothing = found == kNothing;
  if (is_nothing && expected != Expected::kImage) {
    finding.reason = "empty: no image is named";
  } else if (is_nothing || expected == Expected::kPerhapsImage) {
    finding.state = FindingState::kUnpinnable;
  } else {
    finding.state = FindingState::kInvalid;
    finding.reason = error_at(id, finding, finding.reason);
  }
  return false;
}

void Collector::cannot_change(std::string_view text, std::string reason, Finding& finding) {
  finding.text = text;
  finding.reason = std::move(reason);
  finding.state = FindingState::kLeftAlone;
  auto reference = image::ImageReference::parse(text);
  if (!reference || reference->is_pinned()) return;
  finding.state = FindingState::kUnpinnable;
  finding.reference = std::move(*reference);
}

void Collector::parse_reference(NodeId scalar, Span in_text, Expected expected, Finding& finding) {
  const Node& node = (*tree_)[scalar];
  const std::string_view text = in_text.of(tree_->text(scalar));
  auto reference = image::ImageReference::parse(text);
  if (!reference) {
    const bool is_guess = expected == Expected::kPerhapsImage;  // which stops no run
    finding.state = is_guess ? FindingState::kUnpinnable : FindingState::kInvalid;
    finding.reason =
        is_guess ? reference.error().message : error_at(scalar, finding, reference.error().message);
    return;
  }
  const auto bytes =
      ScalarText::locate(source_.bytes(), node.span, node.style, tree_->text(scalar));
  if (!bytes) {
    return cannot_change(text, "its text is spread over lines in a way that cannot be kept",
                         finding);
  }
  const std::size_t tag_at = in_text.begin + reference->written_name().size();
  const std::size_t digest_at = in_text.begin + std::min(text.find('@'), text.size());
  sites_.back() = {.ordinal = node.ordinal,
                   .value = std::string(tree_->text(scalar)),
                   .tag_at = tag_at,
                   .digest_at = digest_at,
                   .end = in_text.end,
                   .tag_bytes = bytes->bytes_of(tag_at, digest_at),
                   .digest_bytes = bytes->bytes_of(digest_at, in_text.end)};
  finding.state = reference->is_pinned() ? FindingState::kPinned : FindingState::kUnpinned;
  finding.reference = std::move(*reference);
  if (comments_) note_comment(node.span, finding);
}

void Collector::note_comment(Span scalar, Finding& finding) {
  Site& site = sites_.back();
  // Behind a part of a value, such as a default, the rest of it stands.
  if (site.end != site.value.size()) return;
  const image::ImageReference& reference = *finding.reference;
  // A tag that is written with escapes would not come back as it was.
  const bool is_plain_tag = site.tag_bytes.size() == site.digest_at - site.tag_at;
  site.may_have_comment = is_plain_tag && may_have_comment(source_, scalar);
  site.comment_bytes = {.begin = scalar.end, .end = scalar.end};
  if (!site.may_have_comment || !reference.is_pinned() || reference.has_written_tag()) return;
  const auto comment = read_tag_comment(source_, scalar.end, reference.written_name());
  if (!comment) return;
  finding.tag_in_comment = comment->tag;
  site.tag_in_comment = comment->tag;
  site.comment_bytes = comment->bytes;
  site.removable_comment_bytes = comment->removable;
}

}  // namespace windlass::manifest

// The part of Collector for references whose parts stand under keys of their own.
#include <algorithm>
#include <utility>

#include "collector.h"
#include "plain_scalar.h"
#include "scalar_text.h"
#include "windlass/base/format.h"

namespace windlass::manifest {
std::string_view Collector::part_text(NodeId part) const {
  const NodeId scalar = tree_->resolve(part);
  if (!tree_->is_scalar(scalar)) return {};
  const std::string_view text = tree_->text(scalar);
  const Node& node = (*tree_)[scalar];
  const bool is_null = node.style == ScalarStyle::kPlain && !node.is_string &&
                       meaning_of_plain(text) == PlainMeaning::kNull;
  return is_null ? std::string_view() : text;
}

bool Collector::has_ending_in_name(const SplitImage& image) {
  const std::string_view name = image.name;
  return image.name_may_hold_tag &&
         name.substr(name.rfind('/') + 1).find_first_of(":@") != std::string_view::npos;
}

bool Collector::says_ignore(const SplitImage& image) const {
  const auto ignored = [&](NodeId part) {
    return part != kNoNode && (says_ignore(part) || says_ignore(tree_->resolve(part)));
  };
  return ignored(image.name_node) || ignored(image.tag) || ignored(image.digest);
}

bool Collector::stays_as_it_is(const SplitImage& image, Finding& finding) const {
  if (says_ignore(image)) {
    finding.reason = "a comment says ignore";
    return true;
  }
  if (has_variable(image.name, finding) || has_variable(part_text(image.tag), finding)) return true;
  if (part_text(image.tag).empty() && part_text(image.digest).empty() && !has_ending_in_name(image))
    finding.reason = image.reason_without;
  return !finding.reason.empty();
}

bool Collector::has_only_text(const SplitImage& image, Finding& finding) const {
  for (const NodeId part : {image.name_node, image.tag, image.digest}) {
    if (part == kNoNode || tree_->is_scalar(part)) continue;
    finding.state = FindingState::kInvalid;
    finding.reason = source_
                         .error_at((*tree_)[part].span.begin,
                                   format("{}: expected text, found a {}", tree_->path(part),
                                          tree_->is_mapping(part) ? "mapping" : "list"))
                         .message;
    return false;
  }
  return true;
}

// `text` is that of the scalar. False when the text cannot be located.
bool Collector::set_split_site(NodeId scalar, bool is_digest, std::string_view text) {
  const Node& node = (*tree_)[scalar];
  const bool is_plain = node.style == ScalarStyle::kPlain && !node.is_string;
  const auto bytes =
      ScalarText::locate(source_.bytes(), node.span, node.style, tree_->text(scalar));
  if (!bytes) return false;
  Site& site = sites_.back();
  site.ordinal = node.ordinal;
  site.value = tree_->text(scalar);
  site.end = site.value.size();
  // A tag under its own key stays: without it a name and a digest would be joined by ":".
  site.digest_at = is_digest ? 0 : std::min(site.value.find('@'), site.value.size());
  site.tag_at = site.digest_at;
  site.tag_bytes = bytes->bytes_of(site.tag_at, site.tag_at);
  site.digest_bytes = bytes->bytes_of(site.digest_at, site.end);
  site.has_own_key = is_digest;
  site.scalar_bytes = node.span;
  site.after_colon = is_digest && node.span.size() == 0 && node.span.begin > 0 &&
                     source_.bytes()[node.span.begin - 1] == ':';
  site.needs_quotes = !is_digest && is_plain && meaning_of_plain(text) != PlainMeaning::kText;
  return true;
}

void Collector::add_split(const SplitImage& image, const ImageContext& context) {
  // A digest that was put behind the tag stays there, whatever empty key stands beside it.
  const bool in_name = part_text(image.tag).empty() && has_ending_in_name(image);
  const bool is_digest = image.digest != kNoNode && !part_text(image.tag).contains('@') &&
                         !(in_name && image.name.contains('@'));
  const NodeId edited = is_digest ? image.digest : in_name ? image.name_node : image.tag;
  const NodeId place = edited == kNoNode ? image.name_node : edited;
  const std::string_view tag = part_text(image.tag);
  const std::string_view digest = part_text(image.digest);
  std::string text = image.name;
  if (!tag.empty()) text.append(":").append(tag);
  if (!digest.empty()) text.append("@").append(digest);
  Finding* finding = new_finding(place, context);
  Seen& seen = seen_.at(tree_->resolve(place));
  seen.is_part = true;
  if (finding == nullptr) {
    Finding& first = findings_[seen.finding];
    if (text != first.text) cannot_change(std::string(first.text), kSharedParts, first);
    return;
  }
  finding->text = std::move(text);
  if (image.only_text && !says_ignore(image) && !has_only_text(image, *finding)) return;
  if (stays_as_it_is(image, *finding)) return;
  if (edited != tree_->resolve(edited) || !tree_->is_scalar(edited)) {
    return cannot_change(std::string(finding->text), kSharedParts, *finding);
  }
  if (!tree_->tag(edited).empty()) {
    return cannot_change(std::string(finding->text), "has a tag of YAML: not plain text", *finding);
  }

  auto reference = image::ImageReference::parse(finding->text);
  if (!reference) {
    finding->state = FindingState::kInvalid;
    finding->reason =
        source_.error_at(finding->span.begin, finding->path + ": " + reference.error().message)
            .message;
    return;
  }
  if (!set_split_site(edited, is_digest, part_text(edited))) {
    return cannot_change(std::string(finding->text),
                         "its text is spread over lines in a way that cannot be kept", *finding);
  }
  // Also a tag that stands in the repository's text.
  if (reference->has_written_tag()) sites_.back().own_tag = *reference->tag();
  finding->state = reference->is_pinned() ? FindingState::kPinned : FindingState::kUnpinned;
  finding->reference = std::move(*reference);
}

}  // namespace windlass::manifest

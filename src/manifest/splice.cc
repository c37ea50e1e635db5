#include "splice.h"

#include <utility>

#include "tag_comment.h"
#include "windlass/base/check.h"

namespace windlass::manifest {
namespace {

// What stands behind the name, and in the comment behind the value.
struct Ending {
  std::string tag;  // ":tag"
  std::string digest;
  std::string tag_in_comment;
};

Ending ending_of(const Site& site, const Edit& edit) {
  Ending ending{.tag = site.value.substr(site.tag_at, site.digest_at - site.tag_at),
                .digest = {},
                .tag_in_comment = {}};
  if (!site.tag_in_comment.empty()) ending.tag = ":" + site.tag_in_comment;
  if (!edit.digest) return ending;
  ending.digest = (site.has_own_key ? "" : "@") + edit.digest->to_string();
  const bool stays_in_comment = edit.style == Style::kAsWritten && !site.tag_in_comment.empty();
  const bool goes_to_comment =
      edit.style == Style::kComment && site.may_have_comment && !ending.tag.empty();
  if (stays_in_comment || goes_to_comment) ending.tag_in_comment = ending.tag.substr(1);
  if (stays_in_comment || goes_to_comment || edit.style == Style::kDigest) ending.tag.clear();
  return ending;
}

}  // namespace

std::vector<Replacement> replacements_at(const Site& site, const Edit& edit) {
  if (site.needs_quotes)
    return {{.bytes = site.scalar_bytes,
             .text = site.quote + change_at(site, edit).value + site.quote}};
  const Ending ending = ending_of(site, edit);
  const bool keeps_tag = site.value.substr(site.tag_at).starts_with(ending.tag) &&
                         ending.tag.size() == site.digest_at - site.tag_at;
  Replacement replacement{
      .bytes = {.begin = keeps_tag ? site.digest_bytes.begin : site.tag_bytes.begin,
                .end = site.digest_bytes.end},
      .text = keeps_tag ? ending.digest : ending.tag + ending.digest};
  if (site.after_colon && !replacement.text.empty()) replacement.text.insert(0, 1, ' ');
  std::vector<Replacement> out = {std::move(replacement)};
  if (ending.tag_in_comment != site.tag_in_comment) {
    if (ending.tag_in_comment.empty()) {
      out.push_back({.bytes = site.removable_comment_bytes, .text = ""});
    } else {
      out.push_back({.bytes = site.comment_bytes, .text = tag_comment(ending.tag_in_comment)});
    }
  }
  return out;
}

std::string ending_at(const Site& site, const Edit& edit) {
  const Ending ending = ending_of(site, edit);
  const std::string at = site.has_own_key && edit.digest ? "@" : "";
  return (site.own_tag.empty() ? ending.tag : ":" + site.own_tag) + at + ending.digest;
}

ScalarChange change_at(const Site& site, const Edit& edit) {
  const Ending ending = ending_of(site, edit);
  return {.ordinal = site.ordinal,
          .value = site.value.substr(0, site.tag_at) + ending.tag + ending.digest +
                   site.value.substr(site.end),
          .quote = site.needs_quotes ? site.quote : '\0'};
}

std::string splice(std::string_view bytes, std::span<const Replacement> replacements) {
  std::string out;
  std::size_t copied = 0;
  for (const Replacement& replacement : replacements) {
    WINDLASS_CHECK(replacement.bytes.begin >= copied && replacement.bytes.end <= bytes.size());
    out += bytes.substr(copied, replacement.bytes.begin - copied);
    out += replacement.text;
    copied = replacement.bytes.end;
  }
  out += bytes.substr(copied);
  return out;
}

}  // namespace windlass::manifest

#include "splice.h"

#include "windlass/base/check.h"

namespace windlass::manifest {
namespace {

std::string suffix(const Site& site, const Edit& edit) {
  if (!edit.digest) return {};
  return (site.has_own_key ? "" : "@") + edit.digest->to_string();
}

// Taking a digest out leaves the tag: it is what the reader then goes by.
bool keeps_tag(const Edit& edit) { return edit.keep_tag || !edit.digest; }

}  // namespace

Replacement replacement_at(const Site& site, const Edit& edit) {
  if (site.needs_quotes)
    return {.bytes = site.scalar_bytes, .text = '"' + change_at(site, edit).value + '"'};
  const std::size_t begin = keeps_tag(edit) ? site.digest_bytes.begin : site.tag_bytes.begin;
  const std::string text = suffix(site, edit);
  return {.bytes = {.begin = begin, .end = site.digest_bytes.end},
          .text = site.after_colon && !text.empty() ? " " + text : text};
}

ScalarChange change_at(const Site& site, const Edit& edit) {
  const std::size_t kept = keeps_tag(edit) ? site.digest_at : site.tag_at;
  return {.ordinal = site.ordinal,
          .value = site.value.substr(0, kept) + suffix(site, edit) + site.value.substr(site.end),
          .gets_quotes = site.needs_quotes};
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

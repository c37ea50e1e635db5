// Any bytes are a manifest or an error with a place. For a manifest the rules hold that every
// pinned file has to keep:
//   1. taking out what was put in gives the file back, byte for byte;
//   2. reading before and after differs at the reported references only;
//   3. pinning again changes nothing;
//   4. line ends stay, and so does the number of lines;
//   5. the quick reader and the full parser agree.
// The first byte picks the format and the options, the second which findings are edited and how.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "reader.h"
#include "windlass/base/check.h"
#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

constexpr std::optional<Format> kFormats[] = {
    std::nullopt,     Format::kKubernetes, Format::kKustomization, Format::kHelmValues,
    Format::kCompose, Format::kWorkflow,   Format::kDockerfile,
};

constexpr Style kStyles[] = {Style::kAsWritten, Style::kTagAndDigest, Style::kDigest,
                             Style::kComment};

bool same(const Finding& a, const Finding& b) {
  return a.state == b.state && a.reason == b.reason && a.reference == b.reference &&
         a.tag_in_comment == b.tag_in_comment && a.document == b.document && a.path == b.path &&
         a.object == b.object && a.container == b.container && a.rule == b.rule &&
         a.span == b.span && a.location == b.location && a.text == b.text && a.uses == b.uses;
}

void check_both_readers_agree(const std::string& text, const Manifest::Options& options) {
  const auto source = SourceText::create("fuzz", text);
  if (!source) return;
  const auto quick = read(*source, options.format, options, true);
  const auto full = read(*source, options.format, options, false);
  WINDLASS_CHECK(quick.has_value() == full.has_value());
  if (!quick) {
    WINDLASS_CHECK(quick.error().message == full.error().message);
    return;
  }
  WINDLASS_CHECK(quick->documents == full->documents && quick->left_alone == full->left_alone);
  WINDLASS_CHECK(std::ranges::equal(quick->findings, full->findings, same));
}

std::string taken_out(const Manifest& manifest, const std::string& edited,
                      const std::vector<Replacement>& replacements) {
  std::string out;
  std::size_t at = 0;
  std::size_t old_end = 0;
  for (const Replacement& replacement : replacements) {
    const std::size_t kept = replacement.bytes.begin - old_end;
    out += edited.substr(at, kept);
    WINDLASS_CHECK(edited.substr(at + kept).starts_with(replacement.text));
    WINDLASS_CHECK(!replacement.text.contains('\n') && !replacement.text.contains('\r'));
    out += replacement.bytes.of(manifest.bytes());
    at += kept + replacement.text.size();
    old_end = replacement.bytes.end;
  }
  return out + edited.substr(at);
}

void check_edits(const Manifest& manifest, const std::vector<Edit>& edits,
                 const Manifest::Options& options) {
  const auto edited = manifest.edited(edits);
  WINDLASS_CHECK(edited.has_value());
  WINDLASS_CHECK(taken_out(manifest, *edited, manifest.replacements(edits)) == manifest.bytes());
  const auto again = Manifest::parse("fuzz", *edited, options);
  // An edited file may have grown over the bound.
  if (!again) {
    WINDLASS_CHECK(edited->size() > options.bytes_max);
    return;
  }
  WINDLASS_CHECK(again->findings().size() == manifest.findings().size());
  std::vector<bool> is_edited(manifest.findings().size());
  std::vector<Edit> repeated;
  for (const Edit& edit : edits) {
    is_edited[edit.finding] = true;
    const Finding& after = again->findings()[edit.finding];
    // A name alone may get its tag from anywhere, so that no image is named any more.
    if (!edit.digest && !manifest.findings()[edit.finding].followed()) continue;
    WINDLASS_CHECK(after.reference.has_value());
    WINDLASS_CHECK(after.reference->written() == manifest.reference_after(edit));
    WINDLASS_CHECK(after.reference->digest() == edit.digest);
    repeated.push_back(edit);
  }
  for (std::size_t i = 0; i < is_edited.size(); ++i) {
    const Finding& before = manifest.findings()[i];
    const Finding& after = again->findings()[i];
    WINDLASS_CHECK(before.path == after.path && before.location.line == after.location.line);
    WINDLASS_CHECK(is_edited[i] || before.text == after.text);
    WINDLASS_CHECK(is_edited[i] || before.state == after.state);
  }
  WINDLASS_CHECK(again->replacements(repeated).empty());
}

void check(std::uint8_t first, std::uint8_t second, const std::string& text) {
  const Manifest::Options options{.bytes_max = 1 << 16U,
                                  .allow_duplicate_keys = (first & 0x80U) != 0,
                                  .list_possible = (first & 0x40U) != 0,
                                  .format = kFormats[(first & 0x3FU) % std::size(kFormats)]};
  check_both_readers_agree(text, options);
  const auto manifest = Manifest::parse("fuzz", text, options);
  if (!manifest) {
    WINDLASS_CHECK(manifest.error().message.starts_with("fuzz:"));
    return;
  }
  const auto digest = image::Digest::sha256_of("fuzz");
  std::vector<Edit> pins;
  std::vector<Edit> unpins;
  for (std::size_t i = 0; i < manifest->findings().size(); ++i) {
    const FindingState state = manifest->findings()[i].state;
    const bool can_be_edited = state == FindingState::kUnpinned || state == FindingState::kPinned;
    if (!can_be_edited || ((second >> (i % 4U)) & 1U) != 0) continue;
    pins.push_back({.finding = i,
                    .digest = digest,
                    .style = kStyles[(i + (second >> 4U)) % std::size(kStyles)]});
    unpins.push_back({.finding = i});
  }
  check_edits(*manifest, pins, options);
  check_edits(*manifest, unpins, options);
}

}  // namespace
}  // namespace windlass::manifest

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  windlass::manifest::check(data[0], data[1],
                            std::string(reinterpret_cast<const char*>(data) + 2, size - 2));
  return 0;
}

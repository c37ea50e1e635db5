// Any bytes are a manifest or an error with a place; whatever is found in a manifest can be pinned
// with proof, and stays found. The first byte picks the format.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "windlass/base/check.h"
#include "windlass/manifest/manifest.h"

namespace {

using windlass::manifest::Format;
using windlass::manifest::Manifest;
using windlass::manifest::Style;

constexpr std::optional<Format> kFormats[] = {
    std::nullopt,     Format::kKubernetes, Format::kKustomization, Format::kHelmValues,
    Format::kCompose, Format::kWorkflow,   Format::kDockerfile,
};

constexpr Style kStyles[] = {Style::kAsWritten, Style::kTagAndDigest, Style::kDigest,
                             Style::kComment};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Manifest::Options options{.bytes_max = 1 << 16U,
                                  .allow_duplicate_keys = (data[0] & 0x80U) != 0,
                                  .list_possible = (data[0] & 0x40U) != 0,
                                  .format = kFormats[(data[0] & 0x3FU) % std::size(kFormats)]};
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto manifest = Manifest::parse("fuzz", text, options);
  if (!manifest) {
    WINDLASS_CHECK(manifest.error().message.starts_with("fuzz:"));
    return 0;
  }
  std::vector<windlass::manifest::Edit> edits;
  const auto digest = windlass::image::Digest::sha256_of("fuzz");
  for (std::size_t i = 0; i < manifest->findings().size(); ++i) {
    if (manifest->findings()[i].reference)
      edits.push_back(
          {.finding = i, .digest = digest, .style = kStyles[(i + size) % std::size(kStyles)]});
  }
  const auto pinned = manifest->edited(edits);
  WINDLASS_CHECK(pinned.has_value());
  const auto again = Manifest::parse("fuzz", *pinned, options);
  // An edited file may have grown over the bound.
  if (!again) {
    WINDLASS_CHECK(pinned->size() > options.bytes_max);
    return 0;
  }
  for (const windlass::manifest::Finding& finding : again->findings())
    WINDLASS_CHECK(finding.state != windlass::manifest::FindingState::kUnpinned);
  return 0;
}

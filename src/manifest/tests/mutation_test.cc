// Files of testdata/ with a few bytes changed, read as each format: whatever they are, they are
// read or refused with a place, and what is pinned in them passes the proof.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

std::vector<std::string> all_texts() {
  constexpr std::size_t kSizeMax = 8000;
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(WINDLASS_MANIFEST_TESTDATA)) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    const bool is_case = entry.path().extension() != ".findings";
    if (is_case && !text.empty() && text.size() <= kSizeMax) texts.push_back(std::move(text));
  }
  texts.emplace_back(
      "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.yaml: |\n    services:\n      a: {image: b:1}\n"
      "      c:\n        image: d\n  j: '{\"services\":{\"a\":{\"image\":\"b:1\"}}}'\n"
      "  values.yaml: \"image: b:1\\nc: {repository: d/e, tag: 1.10}\\n\"\n");
  return texts;
}

std::string mutated(std::string text) {
  const auto line = [&] {
    const std::size_t begin = text.rfind('\n', *rc::gen::inRange<std::size_t>(0, text.size())) + 1;
    return std::pair(begin, text.find('\n', begin) - begin);
  };
  const int changes = *rc::gen::inRange(1, 5);
  for (int i = 0; i < changes; ++i) {
    if (text.empty()) return text;
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text[at] = *rc::gen::elementOf(std::string(" \n\t\r:-#&*!|>'\"{}[],?%@`x$<\\"));
        break;
      case 1:
        text.insert(at, *rc::gen::element<std::string>("\n", "{{ x }}", "${A:-b:1}", "<<EOF", "*a",
                                                       "@sha256:", "\"", "'", "\\\n",
                                                       " # windlass: ignore"));
        break;
      case 2: {
        const auto [begin, size] = line();
        text.erase(begin, size);
        break;
      }
      default: {
        const auto [begin, size] = line();
        text.insert(begin, text.substr(begin, size) + "\n");
        break;
      }
    }
  }
  return text;
}

RC_GTEST_PROP(Mutations, AreReadOrRefusedAndPinnedWithProof, ()) {
  static const std::vector<std::string> kTexts = all_texts();
  const std::string text = mutated(*rc::gen::elementOf(kTexts));
  const auto format = *rc::gen::element<std::optional<Format>>(
      std::nullopt, Format::kKubernetes, Format::kKustomization, Format::kHelmValues,
      Format::kCompose, Format::kWorkflow, Format::kDockerfile);
  const Manifest::Options options{.allow_duplicate_keys = *rc::gen::arbitrary<bool>(),
                                  .in_strings = *rc::gen::arbitrary<bool>(),
                                  .format = format};
  const auto manifest = Manifest::parse("file", text, options);
  if (!manifest) {
    RC_ASSERT((manifest.error().code == ErrorCode::kInvalid));
    RC_ASSERT(manifest.error().message.starts_with("file:"));
    return;
  }
  const image::Digest digest = image::Digest::sha256_of("x");
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < manifest->findings().size(); ++i) {
    const Finding& finding = manifest->findings()[i];
    const bool wants_edit = finding.state == FindingState::kUnpinned ||
                            (finding.state == FindingState::kPinned && *rc::gen::arbitrary<bool>());
    if (wants_edit)
      edits.push_back(
          {.finding = i,
           .digest = digest,
           .style = *rc::gen::element(Style::kAsWritten, Style::kDigest, Style::kComment)});
  }
  const auto pinned = manifest->edited(edits);
  if (!pinned) RC_FAIL(pinned.error().message + "\n" + text);
  const auto again = Manifest::parse("file", *pinned, options);
  if (!again) RC_FAIL(again.error().message + "\n" + *pinned);
  if (again->findings().size() != manifest->findings().size()) RC_FAIL(*pinned);
  for (std::size_t i = 0; i < again->findings().size(); ++i) {
    if (again->findings()[i].state == FindingState::kUnpinned) RC_FAIL(*pinned);
  }
}

}  // namespace
}  // namespace windlass::manifest

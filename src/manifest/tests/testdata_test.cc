// Every file of testdata/ is read, compared with the list of findings beside it (NAME.findings),
// and pinned in every way. What must hold for all of them:
//   1. taking out what was inserted gives the file back, byte for byte;
//   2. reading the pinned file finds the same images at the same paths, now with the digest;
//   3. pinning a second time changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

const std::filesystem::path kFolder = WINDLASS_MANIFEST_TESTDATA;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && !name.ends_with(".findings")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string described(const Finding& finding) {
  std::string out =
      format("{}:{}:{}", finding.document, finding.location.line, finding.location.column);
  if (!finding.object.empty()) out += " " + finding.object;
  if (!finding.container.empty()) out += " " + finding.container;
  out += " " + finding.path + ": ";
  switch (finding.state) {
    case FindingState::kUnpinned: out += "unpinned " + finding.reference->written(); break;
    case FindingState::kPinned: out += "pinned " + finding.reference->written(); break;
    case FindingState::kNotKnown: out += "not known: " + finding.reason; break;
    case FindingState::kLeftAlone: out += "left alone: " + finding.reason; break;
    case FindingState::kUnpinnable: out += "unpinnable: " + finding.reason; break;
    case FindingState::kInvalid: out += "invalid: " + finding.reason; break;
  }
  if (finding.uses > 1) out += format(" ({} uses)", finding.uses);
  return out + "\n";
}

std::string described(const Result<Manifest>& manifest) {
  if (!manifest) return "error: " + manifest.error().message + "\n";
  if (!manifest->left_alone().empty()) return "left alone: " + manifest->left_alone() + "\n";
  std::string out = format("documents: {}\n", manifest->documents());
  for (const Finding& finding : manifest->findings()) out += described(finding);
  return out;
}

class Testdata : public testing::TestWithParam<std::string> {
 protected:
  std::string taken_out(const std::string& pinned,
                        const std::vector<Replacement>& replacements) const;

  const std::string bytes_ = read_file(kFolder / GetParam());
  const Result<Manifest> manifest_ = Manifest::parse(GetParam(), bytes_);
};

TEST_P(Testdata, HasTheFindingsThatAreListedBesideIt) {
  EXPECT_EQ(described(manifest_), read_file(kFolder / (GetParam() + ".findings")));
}

const image::Digest kDigest = image::Digest::sha256_of("what the registry says");

std::vector<Edit> edits_of(const Manifest& manifest, FindingState state,
                           Style style = Style::kAsWritten,
                           std::optional<image::Digest> digest = kDigest) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < manifest.findings().size(); ++i) {
    if (manifest.findings()[i].state == state)
      edits.push_back({.finding = i, .digest = digest, .style = style});
  }
  return edits;
}

// Puts the old bytes back where the replacements say that new ones stand.
std::string Testdata::taken_out(const std::string& pinned,
                                const std::vector<Replacement>& replacements) const {
  std::string out;
  std::size_t at = 0;
  std::size_t old_end = 0;
  for (const Replacement& replacement : replacements) {
    const std::size_t kept = replacement.bytes.begin - old_end;
    out += pinned.substr(at, kept);
    EXPECT_EQ(pinned.substr(at + kept, replacement.text.size()), replacement.text);
    EXPECT_TRUE(replacement.text.contains(kDigest.to_string()));
    out += replacement.bytes.of(bytes_);
    at += kept + replacement.text.size();
    old_end = replacement.bytes.end;
  }
  return out + pinned.substr(at);
}

TEST_P(Testdata, PinnedAndTakenOutAgainIsTheSameFile) {
  if (!manifest_) return;
  const auto edits = edits_of(*manifest_, FindingState::kUnpinned);
  const auto pinned = manifest_->edited(edits);
  ASSERT_TRUE(pinned.has_value()) << pinned.error().message;
  EXPECT_EQ(*pinned == bytes_, edits.empty());
  EXPECT_EQ(taken_out(*pinned, manifest_->replacements(edits)), bytes_);

  const auto again = Manifest::parse(GetParam(), *pinned);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  std::vector<Edit> unpin;
  for (const Edit& edit : edits) unpin.push_back({.finding = edit.finding});
  const auto unpinned = again->edited(unpin);
  ASSERT_TRUE(unpinned.has_value()) << unpinned.error().message;
  // Quotes that a number got, and the blank in front of a digest, stay.
  const bool has_parts = GetParam().contains("values") || GetParam().contains("kustomization");
  EXPECT_TRUE(has_parts || *unpinned == bytes_);
  EXPECT_EQ(described(Manifest::parse(GetParam(), *unpinned)), described(manifest_));
}

TEST_P(Testdata, PinnedWithTagsInCommentsAndTakenOutAgainIsTheSameFile) {
  if (!manifest_) return;
  const auto edits = edits_of(*manifest_, FindingState::kUnpinned, Style::kComment);
  const auto pinned = manifest_->edited(edits);
  ASSERT_TRUE(pinned.has_value()) << pinned.error().message;
  const auto again = Manifest::parse(GetParam(), *pinned);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_TRUE(again->replacements(edits).empty());
  std::vector<Edit> unpin;
  for (const Edit& edit : edits) unpin.push_back({.finding = edit.finding});
  const auto unpinned = again->edited(unpin);
  ASSERT_TRUE(unpinned.has_value()) << unpinned.error().message;
  const auto pinned_otherwise = manifest_->edited(edits_of(*manifest_, FindingState::kUnpinned));
  const auto with_tags = Manifest::parse(GetParam(), *pinned_otherwise);
  EXPECT_EQ(*unpinned, *with_tags->edited(unpin));
}

TEST_P(Testdata, PinnedReadsTheSameButForTheDigests) {
  if (!manifest_) return;
  for (const Style style :
       {Style::kAsWritten, Style::kTagAndDigest, Style::kDigest, Style::kComment}) {
    const auto pinned = manifest_->edited(edits_of(*manifest_, FindingState::kUnpinned, style));
    ASSERT_TRUE(pinned.has_value()) << pinned.error().message;
    const auto again = Manifest::parse(GetParam(), *pinned);
    ASSERT_TRUE(again.has_value()) << again.error().message;
    ASSERT_EQ(again->findings().size(), manifest_->findings().size());
    for (std::size_t i = 0; i < again->findings().size(); ++i) {
      const Finding& before = manifest_->findings()[i];
      const Finding& after = again->findings()[i];
      EXPECT_EQ(after.path, before.path);
      EXPECT_EQ(after.location.line, before.location.line);
      EXPECT_EQ(after.uses, before.uses);
      if (before.state != FindingState::kUnpinned) {
        EXPECT_EQ(after.text, before.text);
        continue;
      }
      ASSERT_EQ(after.state, FindingState::kPinned) << after.reason;
      EXPECT_EQ(after.reference->written(),
                manifest_->reference_after({.finding = i, .digest = kDigest, .style = style}));
      EXPECT_EQ(after.reference->written_name(), before.reference->written_name());
      if (style != Style::kDigest && before.reference->has_written_tag()) {
        EXPECT_EQ(after.followed(), before.reference);
      }
    }
  }
}

TEST_P(Testdata, PinnedTwiceIsPinnedOnce) {
  if (!manifest_) return;
  const auto pinned = manifest_->edited(edits_of(*manifest_, FindingState::kUnpinned));
  ASSERT_TRUE(pinned.has_value()) << pinned.error().message;
  const auto again = Manifest::parse(GetParam(), *pinned);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  EXPECT_TRUE(edits_of(*again, FindingState::kUnpinned).empty());
  std::vector<Edit> repeated;
  for (const Edit& edit : edits_of(*manifest_, FindingState::kUnpinned)) repeated.push_back(edit);
  EXPECT_TRUE(again->replacements(repeated).empty());
  EXPECT_EQ(again->edited(repeated), *pinned);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, Testdata, testing::ValuesIn(cases()), test_name);

}  // namespace
}  // namespace windlass::manifest

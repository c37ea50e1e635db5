#include <gtest/gtest.h>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

std::vector<std::string> possible_in(const std::string& text) {
  const auto manifest = Manifest::parse("f.yaml", text, {.list_possible = true});
  EXPECT_TRUE(manifest.has_value()) << manifest.error().message;
  std::vector<std::string> out;
  for (const Finding& finding : manifest->findings()) {
    if (finding.rule != "looks like an image") continue;
    EXPECT_EQ(finding.state, FindingState::kLeftAlone);
    out.push_back(finding.path);
  }
  return out;
}

TEST(PossibleImages, AreListedWhereNoRuleAppliesAndNeverTwice) {
  EXPECT_EQ(
      possible_in(
          "apiVersion: v1\nkind: Pod\nmetadata:\n"
          "  annotations: {note: reg.test/o/note:1}\n"
          "spec:\n  containers:\n  - image: reg.test/o/app:1\n"
          "    args: [--sidecar=reg.test/o/sidecar:1, --name=reg.test, a/b:c]\n"
          "    env: [{name: DB, value: 'reg.test:5000/o/db:1'}, {name: M, value: reg.test/o}]\n"),
      (std::vector<std::string>{"metadata.annotations.note", "spec.containers[0].args[0]",
                                "spec.containers[0].env[0].value"}));
}

TEST(PossibleImages, AreListedInFilesOfNoKnownFormat) {
  EXPECT_EQ(possible_in("image: reg.test/x/app:1\nurl: https://reg.test/x/app:1\n"),
            std::vector<std::string>{"image"});
}

TEST(PossibleImages, InPartsAreListedAtTheTag) {
  EXPECT_EQ(possible_in("apiVersion: example.test/v1\nkind: Widget\n"
                        "spec: {image: {repository: reg.test/x/app, tag: v1}}\n"),
            std::vector<std::string>{"spec.image.tag"});
}

TEST(PossibleImages, OfSecretsAreNeverListed) {
  EXPECT_TRUE(
      possible_in("apiVersion: v1\nkind: Secret\nstringData: {i: reg.test/x/app:1}\n").empty());
  EXPECT_TRUE(possible_in("apiVersion: v1\nkind: List\nitems:\n"
                          "- {apiVersion: v1, stringData: {i: reg.test/x/app:1}, kind: Secret}\n")
                  .empty());
}

TEST(PossibleImages, AreNotListedUnlessAskedFor) {
  EXPECT_TRUE(Manifest::parse("f.yaml", "image: reg.test/x/app:1\n")->findings().empty());
}

}  // namespace
}  // namespace windlass::manifest

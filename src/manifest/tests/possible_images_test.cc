#include <gtest/gtest.h>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

// "path: text: why" of each.
std::vector<std::string> possible_in(const std::string& text,
                                     const std::string& file_name = "f.yaml") {
  constexpr std::string_view kButs = "looks like an image, but ";
  const auto manifest = Manifest::parse(file_name, text, {.list_possible = true});
  EXPECT_TRUE(manifest.has_value()) << manifest.error().message;
  std::vector<std::string> out;
  for (const Finding& finding : manifest->findings()) {
    if (finding.rule != "looks like an image") continue;
    EXPECT_EQ(finding.state, FindingState::kLeftAlone);
    out.push_back(finding.path);
    if (!finding.reason.starts_with(kButs)) continue;
    EXPECT_EQ(finding.span.of(text), finding.text);
    out.back() += ": " + finding.text + ": " + finding.reason.substr(kButs.size());
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(PossibleImages, AreListedWhereNoRuleAppliesAndNeverTwice) {
  EXPECT_EQ(
      possible_in(
          "apiVersion: v1\nkind: Pod\nmetadata:\n"
          "  annotations: {note: reg.test/o/note:1}\n"
          "spec:\n  containers:\n  - image: reg.test/o/app:1\n"
          "    args: [--sidecar=reg.test/o/sidecar:1, --name=reg.test, a/b:c]\n"
          "    env: [{name: DB, value: 'reg.test:5000/o/db:1'}, {name: M, value: reg.test/o}]\n"),
      (Texts{"metadata.annotations.note: reg.test/o/note:1: it stands in an annotation",
             "spec.containers[0].args[0]: reg.test/o/sidecar:1: it stands in an argument; a rule "
             "with args: can name it",
             "spec.containers[0].env[0].value: reg.test:5000/o/db:1: it stands in an environment "
             "variable; a rule with env: can name it"}));
}

TEST(PossibleImages, AreListedInFilesOfNoKnownFormat) {
  EXPECT_EQ(possible_in("image: reg.test/x/app:1\nurl: https://reg.test/x/app:1\n"),
            Texts{"image: reg.test/x/app:1: no rule says that one stands here"});
}

TEST(PossibleImages, InPartsAreListedAtTheTag) {
  EXPECT_EQ(possible_in("apiVersion: example.test/v1\nkind: Widget\n"
                        "spec: {image: {repository: reg.test/x/app, tag: v1}}\n"),
            std::vector<std::string>{"spec.image.tag"});
}

TEST(PossibleImages, InPartsAreNotListedAgainWhenTheDigestHasAKey) {
  const std::string image = "image:\n  repository: x/app\n  tag: 1.10\n  digest: ";
  for (const std::string& digest : Texts{"''", "", "sha256:" + std::string(64, 'a')}) {
    EXPECT_EQ(possible_in(image + digest + "\n", "values.yaml"), Texts());
  }
  const std::string tag_in_name = "image:\n  repository: reg.test/x/app:1\n  digest: sha256:";
  EXPECT_EQ(possible_in(tag_in_name + std::string(64, 'a') + "\n", "values.yaml"), Texts());
}

TEST(PossibleImages, OfSecretsAreNeverListed) {
  EXPECT_TRUE(
      possible_in("apiVersion: v1\nkind: Secret\nstringData: {i: reg.test/x/app:1}\n").empty());
  EXPECT_TRUE(possible_in("apiVersion: v1\nkind: List\nitems:\n"
                          "- {apiVersion: v1, stringData: {i: reg.test/x/app:1}, kind: Secret}\n")
                  .empty());
}

TEST(PossibleImages, AreTheWordsOfScriptsSchemasAndFilesInTexts) {
  EXPECT_EQ(possible_in("apiVersion: v1\nkind: ConfigMap\ndata:\n  run.sh: |\n    # pull\n"
                        "    docker pull 'reg.test/c/a:1' && x docker://reg.test/c/b:2.\n"
                        "  j: '[{\"image\":\"reg.test/c/j:1\"}]'\n"),
            (Texts{"data[\"run.sh\"]: reg.test/c/a:1: it stands in the data of a ConfigMap",
                   "data[\"run.sh\"]: reg.test/c/b:2: it stands in the data of a ConfigMap",
                   "data.j: reg.test/c/j:1: it stands in the data of a ConfigMap"}));
  EXPECT_EQ(possible_in("apiVersion: x/v1\nkind: CustomResourceDefinition\n"
                        "spec: {default: reg.test/c/d:1}\n"),
            Texts{"spec.default: reg.test/c/d:1: it stands in the schema of a custom resource"});
  EXPECT_EQ(possible_in("# syntax=reg.test/c/syntax:1\nFROM a:1\nRUN docker pull reg.test/c/run:1\n"
                        "# reg.test/c/old:1\n",
                        "Dockerfile"),
            (Texts{"RUN: reg.test/c/run:1: it stands in a script",
                   "#: reg.test/c/old:1: it stands in a comment"}));
}

TEST(PossibleImages, InCommentsAreListedAndTextsWithAHashAreNoComments) {
  EXPECT_EQ(possible_in("# was reg.test/c/first:1\na: b # reg.test/c/behind:2\n"
                        "c: 'x # reg.test/c/text:3'\n---\n# reg.test/c/last:4"),
            (Texts{"#: reg.test/c/first:1: it stands in a comment",
                   "#: reg.test/c/behind:2: it stands in a comment",
                   "c: reg.test/c/text:3: no rule says that one stands here",
                   "#: reg.test/c/last:4: it stands in a comment"}));
}

TEST(PossibleImages, OfAFileThatIsLeftAloneAreListedWithItsReason) {
  EXPECT_EQ(possible_in("{{- if .x }}\nimage: reg.test/t/fixed:1\n{{- end }}\n"),
            Texts{": reg.test/t/fixed:1: the file looks like a Go template (line 1)"});
}

TEST(PossibleImages, AreNotListedUnlessAskedFor) {
  EXPECT_TRUE(Manifest::parse("f.yaml", "image: reg.test/x/app:1\n")->findings().empty());
}

}  // namespace
}  // namespace windlass::manifest

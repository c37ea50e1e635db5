#include "windlass/manifest/rules.h"

#include <gtest/gtest.h>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

TEST(Rules, AreReadFromYaml) {
  const auto rules = parse_rules("rules.yaml",
                                 "rules:\n"
                                 "- kind: Widget\n"
                                 "  paths: [spec.image, \"spec.sidecars[*].image\"]\n"
                                 "- {kind: '*', paths: [\"spec.*.image\"]}\n");
  ASSERT_TRUE(rules.has_value()) << rules.error().message;
  const std::vector<PathRule> expected = {
      {.kind = "Widget", .path = "spec.image", .place = "rules.yaml:3:11: "},
      {.kind = "Widget", .path = "spec.sidecars[*].image", .place = "rules.yaml:3:23: "},
      {.kind = "*", .path = "spec.*.image", .place = "rules.yaml:4:23: "}};
  EXPECT_EQ(*rules, expected);
}

TEST(Rules, ErrorsSayWhatWasExpected) {
  const std::pair<std::string, std::string> table[] = {
      {"", "r.yaml:1:1: expected rules: and a list of rules"},
      {"rule: []", "r.yaml:1:1: expected rules: and a list of rules"},
      {"rules:\n- paths: [a]", "r.yaml:2:3: expected a rule with a kind"},
      {"rules:\n- kind: A\n", "r.yaml:2:3: expected a rule with a list of paths"},
      {"rules:\n- {kind: A, paths: [a], path: b}",
       "r.yaml:2:25: expected kind, paths, env or args, found \"path\""},
      {"rules:\n- {kind: A, paths: [a..b]}",
       "r.yaml:2:21: expected a path such as spec.sidecars[*].image, found \"a..b\""},
      {"rules:\n- {kind: A, paths: ['a[0]']}",
       "r.yaml:2:21: expected [*], which is every item, found \"a[0]\""},
      {"rules:\n- {kind: A, paths: [$.spec.image]}",
       "r.yaml:2:21: expected a path that begins with a key, without $, found \"$.spec.image\""},
      {"rules:\n- {kind: A, paths: [/spec/image]}",
       "r.yaml:2:21: expected keys joined by dots, found \"/spec/image\""},
      {"rules:\n- {kind: A, paths: [spec.**.image]}",
       "r.yaml:2:21: expected * as a whole step, which is every key of one mapping, found "
       "\"spec.**.image\""},
      {"rules:\n- {kind: A, paths: [spec.img*]}",
       "r.yaml:2:21: expected * as a whole step, which is every key of one mapping, found "
       "\"spec.img*\""},
      {"rules:\n- {kind: A, env: [A*B]}",
       "r.yaml:2:19: expected a * at the end of a name only, found \"A*B\""},
      {"rules:\n- {kind: A, paths: [a]}\n---\nrules:\n- {kind: B, paths: [a]}",
       "r.yaml:4:1: expected one document: write all rules in one list"},
  };
  for (const auto& [text, message] : table) {
    const auto rules = parse_rules("r.yaml", text);
    ASSERT_FALSE(rules.has_value()) << text;
    EXPECT_EQ(rules.error().message, message);
  }
}

TEST(Rules, NameVariablesAndArgumentsOfPods) {
  const auto rules = parse_rules(
      "r.yaml",
      "rules:\n- {kind: '*', env: [RELATED_IMAGE_*, EXACT], args: [--sidecar-image, -i]}\n");
  ASSERT_TRUE(rules.has_value()) << rules.error().message;
  const std::string text =
      "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: reg.test/o/op:1\n"
      "    args: [--sidecar-image=reg.test/o/side:1, --name=reg.test/o/x:1]\n"
      "    command: [run, -i, reg.test/o/next:1, -i]\n"
      "    env:\n    - {name: RELATED_IMAGE_DB, value: reg.test/o/db:1}\n"
      "    - {name: EXACT, value: reg.test/o/exact:1}\n"
      "    - {name: EXACTLY, value: reg.test/o/not:1}\n"
      "    - {name: RELATED_IMAGE_X, valueFrom: {}}\n";
  const auto manifest = Manifest::parse("w.yaml", text, {.rules = *rules});
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  std::vector<std::string> found;
  for (const Finding& finding : manifest->findings()) {
    EXPECT_EQ(finding.state, FindingState::kUnpinned) << finding.reason;
    found.push_back(finding.text);
  }
  EXPECT_EQ(found,
            (std::vector<std::string>{"reg.test/o/op:1", "reg.test/o/side:1", "reg.test/o/next:1",
                                      "reg.test/o/db:1", "reg.test/o/exact:1"}));
}

TEST(Rules, LeadToReferencesToPartsAndToPodSpecs) {
  const std::string text =
      "apiVersion: example.test/v1\nkind: Widget\nmetadata: {name: w}\nspec:\n"
      "  image: reg.test/w/one:1\n"
      "  parts: {repository: reg.test/w/two, tag: v2}\n"
      "  pod: {containers: [{name: c, image: reg.test/w/three:3}]}\n"
      "  sidecars: [{name: s, image: reg.test/w/four:4}, {name: t}]\n"
      "---\nkind: CustomResourceDefinition\napiVersion: v1\n"
      "spec: {default: reg.test/w/five:5}\n";
  const Manifest::Options options{
      .rules = {{.kind = "Widget", .path = "spec.image"},
                {.kind = "Widget", .path = "spec.parts"},
                {.kind = "Widget", .path = "spec.pod"},
                {.kind = "Widget", .path = "spec.sidecars[*].image"},
                {.kind = "Other", .path = "spec.image"},
                {.kind = "CustomResourceDefinition", .path = "spec.default"}}};
  const auto manifest = Manifest::parse("w.yaml", text, options);
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"spec.image", "reg.test/w/one:1"},
      {"spec.parts.tag", "reg.test/w/two:v2"},
      {"spec.pod.containers[0].image", "reg.test/w/three:3"},
      {"spec.sidecars[0].image", "reg.test/w/four:4"},
      {"spec.default", "reg.test/w/five:5"}};
  std::vector<std::pair<std::string, std::string>> found;
  for (const Finding& finding : manifest->findings()) {
    ASSERT_EQ(finding.state, FindingState::kUnpinned) << finding.reason;
    found.emplace_back(finding.path, finding.reference->written());
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(manifest->findings()[0].rule, "rule of the user: Widget: spec.image");
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(manifest->uses_rule(i), i < 6 && i != 4) << i;
}

}  // namespace
}  // namespace windlass::manifest

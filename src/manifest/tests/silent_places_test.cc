// What stands where an image or its container belongs and is not understood: it is told, so that no
// check passes over it.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

// What is found, by the first letter of its state: pinnable "u", told "t", left alone "l", wrong
// "i".
std::vector<std::string> found_in(const std::string& name, const std::string& text) {
  const auto manifest = Manifest::parse(name, text);
  if (!manifest) return {manifest.error().message};
  std::vector<std::string> out;
  for (const Finding& finding : manifest->findings()) {
    const bool may_be_pinned =
        finding.state == FindingState::kUnpinned || finding.state == FindingState::kPinned;
    const std::string state = may_be_pinned                                ? "u "
                              : finding.state == FindingState::kUnpinnable ? "t "
                              : finding.state == FindingState::kInvalid    ? "i "
                                                                           : "l ";
    out.push_back(state + finding.text);
  }
  return out;
}

struct Row {
  std::string text;
  std::vector<std::string> found;
};

void expect_found(const std::string& name, const std::string& head,
                  std::initializer_list<Row> table) {
  for (const Row& row : table) EXPECT_EQ(found_in(name, head + row.text), row.found) << row.text;
}

const std::string kPod = "apiVersion: v1\nkind: Pod\nspec:\n  ";

TEST(SilentPlaces, ContainersThatAreNoListOfMappingsAreTold) {
  expect_found("a.yaml", kPod,
               {{"containers: {name: a, image: x:1}", {"t x:1"}},
                {"containers: {a: {image: x:1}}", {"t x:1"}},
                {"containers: {name: a}", {"t "}},
                {"containers: [x:1, {name: b, image: y:1}]", {"t x:1", "u y:1"}},
                {"containers: [[{image: x:1}]]", {"t "}},
                {"containers: x:1", {"t x:1"}},
                {"initContainers: {image: x:1}", {"t x:1"}},
                {"ephemeralContainers: [x:1]", {"t x:1"}},
                {"containers: [null, ~]", {}},
                {"containers: null", {}},
                {"containers: {}  # windlass: ignore", {"l "}}});
  expect_found("a.yaml", "apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n",
               {{"      containers: {name: a, image: x:1}", {"t x:1"}},
                {"      initContainers: [x:1]", {"t x:1"}}});
}

TEST(SilentPlaces, OfUnknownKindsOnlyImagesAreTold) {
  expect_found("a.yaml", "apiVersion: a.test/v1\nkind: Widget\nspec:\n  ",
               {{"containers: {name: a, image: x:1}", {"t x:1"}},
                {"pod: {containers: {a: {image: x}, b: {image: y:2}}}", {"t x", "t y:2"}},
                {"containers: [x:1]", {"t x:1"}},
                {"containers: [istio-proxy, a/b, 1]", {}},
                {"containers: {limits: {cpu: 1}}", {}},
                {"containers: {a: {image: '*:latest'}}", {}}});
}

TEST(SilentPlaces, ImagesWithTagsOfYamlAreTold) {
  expect_found("a.yaml", kPod,
               {{"containers: [{image: !custom x:1}]", {"t x:1"}},
                {"containers: [{image: !custom \"\"}]", {"t "}},
                {"containers: [{image: !Sub [a, b]}]", {"t "}},
                {"containers: [{image: !Sub '${x}'}]", {"l ${x}"}},
                {"containers: [{image: !!str x:1}]", {"u x:1"}}});
  expect_found("compose.yaml", "services:\n  ",
               {{"a: {image: !reset null}", {"l null"}}, {"a: {image: !override x:1}", {"t x:1"}}});
  expect_found("values.yaml", "",
               {{"image: {repository: a/b, tag: !custom v1}", {"t a/b:v1"}},
                {"image: !custom a/b:1", {"t a/b:1"}}});
}

TEST(SilentPlaces, FromWithoutAnImageIsTold) {
  expect_found("Dockerfile", "",
               {{"FROM", {"t "}},
                {"FROM \\\n", {"t "}},
                {"FROM --platform=linux/arm64\nFROM a:1", {"t ", "u a:1"}}});
}

TEST(SilentPlaces, ServicesWithoutATextAsImageAreTold) {
  expect_found("compose.yaml", "services:\n  ",
               {{"a: {image: null}", {"t null"}},
                {"a: {image: 12}", {"i 12"}},
                {"a: {image: [x:1]}", {"i "}},
                {"a: {image: {b: x:1}}", {"i "}}});
}

TEST(SilentPlaces, ImagesSharedWithServicesThatAreBuiltAreTold) {
  expect_found("compose.yaml", "x-p: &p app:v9\nservices:\n  ",
               {{"l: {image: *p}\n  n: {image: *p, build: .}", {"t app:v9"}},
                {"n: {image: *p, build: .}\n  l: {image: *p}", {"t app:v9"}}});
  expect_found("compose.yaml", "x-a: &a {image: a:1}\nx-b: &b {image: b:1}\nservices:\n  ",
               {{"s: {<<: [*a, *b]}", {"u a:1", "u b:1"}},
                {"s: {<<: [*a, *b], build: .}\n  t: {<<: *a}", {"t a:1", "u b:1"}}});
}

TEST(SilentPlaces, PicturesMakeNoComposeFile) {
  expect_found("site.yaml", "services:\n  ",
               {{"a: {image: /img/a.png, title: A}\n  b: {image: b.svg}", {}},
                {"a: {image: 'https://example.test/a'}\n  b: {}", {}},
                {"a: {image: /img/a.png}\n  b: {image: b:1}", {"i /img/a.png", "u b:1"}}});
  expect_found("compose.yaml", "services:\n  ", {{"a: {image: /img/a.png}", {"i /img/a.png"}}});
}

TEST(SilentPlaces, QuotesWithinAnImageOfADockerfileAreTold) {
  expect_found("Dockerfile", "",
               {{"ARG A=\"x\":1\nFROM $A", {"t x:1"}},
                {"FROM \"x\":1", {"t x:1"}},
                {"FROM \"x:1", {"t x:1"}},
                {"FROM --platform=$BUILDPLATFORM a:1 AS b\nFROM --platform=$P b AS c\nFROM c",
                 {"u a:1", "l b", "l c"}}});
}

TEST(SilentPlaces, KindsOfOthersAreAlsoSearchedByShape) {
  expect_found("a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n  ",
               {{"templateDefaults: {sidecars: [{image: a:1}], initContainers: [{image: b:1}]}",
                 {"u a:1", "u b:1"}},
                {"templateDefaults: {containerSet: {containers: [{image: a:1}]}}", {"u a:1"}},
                {"more: {pod: {containers: [{image: a:1}]}}\n  templates: [{container: "
                 "{image: b:1}}]",
                 {"u a:1", "u b:1"}}});
  expect_found(
      "a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nspec:\n  ",
      {{"template: {spec: {sources: [{helm: {valuesObject: {image: a:1}}}]}}", {"u a:1"}}});
  expect_found("a.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Sensor\nspec:\n  ",
               {{"triggers: [{template: {k8s: {source: {resource: {apiVersion: "
                 "argoproj.io/v1alpha1, kind: Workflow, spec: {templates: [{script: {image: "
                 "a:1}}]}}}}}}]",
                 {"u a:1"}}});
  expect_found(
      "a.yaml", "",
      {{"- 1\n- {apiVersion: v1, kind: Pod, spec: {containers: [{image: a:1}]}}", {"u a:1"}}});
}

TEST(SilentPlaces, WhatWasFoundByKindIsNotCountedAgainByShape) {
  const auto manifest = Manifest::parse("a.yaml",
                                        "apiVersion: serving.knative.dev/v1\nkind: Service\n"
                                        "spec: {template: {spec: {containers: [{image: a:1}]}}}\n");
  ASSERT_TRUE(manifest.has_value());
  ASSERT_EQ(manifest->findings().size(), 1U);
  EXPECT_EQ(manifest->findings()[0].uses, 1U);
}

TEST(SilentPlaces, VariablesInImagesOfPodsAreNamedAsSuch) {
  const auto manifest = Manifest::parse("a.yaml", kPod + "containers: [{image: nginx:$TAG}]\n");
  ASSERT_TRUE(manifest.has_value());
  EXPECT_EQ(manifest->findings()[0].reason, "has a variable: its value is not known here");
}

}  // namespace
}  // namespace windlass::manifest

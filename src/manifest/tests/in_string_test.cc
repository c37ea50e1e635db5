#include "in_string.h"

#include <gtest/gtest.h>

#include "text_map.h"
#include "windlass/base/format.h"

namespace windlass::manifest {
namespace {

const image::Digest digest = image::Digest::sha256_of("x");

Manifest parsed(const std::string& text, const std::string& name = "cm.yaml") {
  auto manifest = Manifest::parse(name, text, {.in_strings = true});
  EXPECT_TRUE(manifest.has_value()) << manifest.error().message << text;
  return *manifest;
}

std::string config_map(const std::string& data) {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n" + data;
}

// With every image that may get a digest.
std::string pinned(const std::string& text, Style style = Style::kAsWritten) {
  const Manifest manifest = parsed(text);
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < manifest.findings().size(); ++i) {
    if (manifest.findings()[i].state == FindingState::kUnpinned)
      edits.push_back({.finding = i, .digest = digest, .style = style});
  }
  const auto edited = manifest.edited(edits);
  EXPECT_TRUE(edited.has_value()) << edited.error().message << text;
  return edited ? *edited : "";
}

// `text` with "@DIGEST" behind each of `images`.
std::string with_digests(std::string text, const std::vector<std::string>& images) {
  for (const std::string& image : images) {
    const std::size_t at = text.find(image);
    EXPECT_NE(at, std::string::npos) << image;
    text.insert(at + image.size(), "@" + digest.to_string());
  }
  return text;
}

constexpr const char* kPod =
    R"({"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"image":"a:1"}]}})";

TEST(InString, ImagesArePinnedInEveryKindOfText) {
  const std::string commented =
      "  pod.yaml: |\n    # a comment\n    apiVersion: v1\n    kind: Pod\n    spec:\n"
      "      containers:\n      - image: a:1  # mine\n      - image: \"b:2\"\n    # end\n";
  const std::string indented =
      "  pod.yaml: |2-\n\n    \n    kind: Pod\n    apiVersion: v1\n"
      "    spec: {containers: [{image: a:1}, {image: b:2}]}\n";
  const std::string documents =
      "  two: |+\n    kind: Pod\n    apiVersion: v1\n    spec: {containers: [{image: a:1}]}\n"
      "    ---\n    kind: Pod\n    apiVersion: v1\n    spec: {containers: [{image: b:2}]}\n\n\n";
  const std::string returns =
      "  compose.yaml: |\r\n    services:\r\n      a: {image: a:1}\r\n      b: {image: b:2}\r\n";
  const std::string json = R"({"services": {"it''s": {"image": "a:1"}, "b": {"image": "b:2"}}})";
  const std::string escaped =
      R"({\"services\":{\"a\":{\"image\":\"a:1\"},\"b\":{\"image\":\"b:2\"}}})";
  const std::string folded =
      "  x.json: >\n    {\"services\":{\"a\":{\"image\":\"a:1\"},"
      "\"\u00fc\":{\"image\":\"b:2\"}}}\n";
  const std::vector<std::string> data = {
      commented,
      indented,
      documents,
      returns,
      "  values.yaml: \"a:\\n  image: a:1\\nb: {image: b:2}\\n\"\n",
      "  x.json: '" + json + "'\n",
      "  x.json: \"" + escaped + "\"\n",
      folded,
      "  one: |\n    services: {a: {image: a:1}}\n  two: |\n    services: {a: {image: b:2}}\n",
  };
  for (const std::string& texts : data) {
    const std::string text = config_map(texts);
    const std::string expected = with_digests(text, {"a:1", "b:2"});
    EXPECT_EQ(pinned(text), expected);
    EXPECT_EQ(pinned(expected), expected) << "a second run changes nothing";
  }
}

TEST(InString, ImagesAreToldWhereTheyStandInTheFile) {
  const std::string text = config_map(
      "  pod.yaml: |\n    apiVersion: v1\n    kind: Pod\n    metadata: {name: p}\n"
      "    spec:\n      containers:\n      - image: a:1\n");
  const Manifest manifest = parsed(text);
  ASSERT_EQ(manifest.findings().size(), 1U);
  const Finding& finding = manifest.findings()[0];
  EXPECT_EQ(finding.location, (Location{.line = 11, .column = 16}));
  EXPECT_EQ(finding.span.of(text), "a:1");
  EXPECT_EQ(finding.path, "data[\"pod.yaml\"]: spec.containers[0].image");
  EXPECT_EQ(finding.object, "Pod/p");
  EXPECT_TRUE(finding.rule.ends_with(", in a string")) << finding.rule;
}

TEST(InString, ImagesOfListsAndOfJsonAreFoundToo) {
  const std::string list =
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n"
      "  data:\n    a: |\n      services: {a: {image: a:1}}\n";
  EXPECT_EQ(pinned(list), with_digests(list, {"a:1"}));
  const std::string json = R"({"apiVersion":"v1","kind":"ConfigMap","data":{"c.json":")"
                           R"({\"services\":{\"a\":{\"image\":\"a:1\"}}}\n"}})";
  EXPECT_EQ(pinned(json), with_digests(json, {"a:1"}));
}

TEST(InString, ATagInAComment) {
  const std::string text = config_map("  c: |\n    services:\n      a:\n        image: a:1\n");
  const std::string commented = pinned(text, Style::kComment);
  EXPECT_TRUE(commented.ends_with("image: a@" + digest.to_string() + "  # tag: 1\n")) << commented;
  const Manifest manifest = parsed(commented);
  EXPECT_EQ(manifest.edited(std::vector<Edit>{{.finding = 0}}).value(), text);
  // In quotes a comment of the text could swallow what follows.
  const std::string quoted = config_map("  c: 'services: {a: {image: a:1}}'\n");
  EXPECT_EQ(pinned(quoted, Style::kComment), with_digests(quoted, {"a:1"}));
}

TEST(InString, WhatCannotBeKeptOrIsNoFileIsLeftAlone) {
  struct Row {
    std::string data;
    std::string reason;  // "": nothing is told
  };
  const std::string folded =
      "names images, but its lines are folded or escaped in a way that "
      "cannot be kept: write it as a literal block (|)";
  const std::vector<Row> rows = {
      {"  c: 'services: {a:\n    {image: a:1}}'\n", folded},
      {"  c: \"services: {\\u00e4: {image: a:1}}\"\n", folded},
      {"  c: |  # windlass: ignore\n    services: {a: {image: a:1}}\n", "a comment says ignore"},
      {"  c.yaml: |\n    a: {\n", "is named as YAML or JSON and cannot be read as such"},
      {"  c.yaml: |\n    {{ if x }}\n    image: a:1\n", "looks like a Go template (line 1)"},
      {"  c: |\n    image: {\n", ""},
      {"  c: the image of a:1\n", ""},
      {"  c: |\n    image: a:1\n", ""},
  };
  for (const Row& row : rows) {
    const std::string text = config_map(row.data);
    EXPECT_EQ(pinned(text), text);
    const Manifest manifest = parsed(text);
    ASSERT_EQ(manifest.findings().size(), row.reason.empty() ? 0U : 1U) << text;
    if (row.reason.empty()) continue;
    EXPECT_EQ(manifest.findings()[0].state,
              row.reason == folded ? FindingState::kUnpinnable : FindingState::kLeftAlone);
    EXPECT_EQ(manifest.findings()[0].reason, row.reason);
  }
}

TEST(InString, ATextThatIsUsedElsewhereTooIsTold) {
  const std::string text = config_map("  a: &a 'services: {a: {image: a:1}}'\n  b: *a\n");
  EXPECT_EQ(pinned(text), text);
  const Manifest manifest = parsed(text);
  ASSERT_EQ(manifest.findings().size(), 1U);
  EXPECT_EQ(manifest.findings()[0].state, FindingState::kUnpinnable);
}

TEST(InString, WhatIsPinnedInATextThatCannotBeKeptPassesACheck) {
  const Manifest manifest = parsed(
      config_map("  c: 'services: {a:\n    {image: \"a:1@" + digest.to_string() + "\"}}'\n"));
  ASSERT_EQ(manifest.findings().size(), 1U);
  EXPECT_EQ(manifest.findings()[0].state, FindingState::kLeftAlone);
}

TEST(InString, TextsThatAreFilesForCertainAreReadWithoutBeingAsked) {
  const std::string values = "      web:\n        image: {repository: r/a, tag: \"1\"}\n";
  const auto object = [](std::string_view group, std::string_view kind, const std::string& spec) {
    return format("apiVersion: {}/v1\nkind: {}\nmetadata: {{name: x}}\nspec:\n{}", group, kind,
                  spec);
  };
  const std::string texts[] = {
      "services:\n  a:\n    build:\n      dockerfile_inline: |\n        FROM a:1 AS b\n"
      "        COPY --from=b /x /y\n        COPY --from=c:1 /x /y\n",
      "services: {a: {build: {dockerfile_inline: FROM a:1}}}\n",
      object("helm.cattle.io", "HelmChart", "  valuesContent: |\n" + values),
      object("helm.cattle.io", "HelmChartConfig", "  valuesContent: |\n" + values),
      object("argoproj.io", "Application",
             "  source: {helm: {values: 'image: {repository: r/a, tag: v1}'}}\n"),
      object("argoproj.io", "Application", "  sources:\n  - helm:\n     values: |\n" + values),
      object(
          "argoproj.io", "ApplicationSet",
          "  template: {spec: {source: {helm: {values: 'image: {repository: r/a, tag: v1}'}}}}\n"),
  };
  for (const std::string& text : texts) {
    const auto manifest = Manifest::parse("a.yaml", text);
    ASSERT_TRUE(manifest.has_value()) << manifest.error().message << text;
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < manifest->findings().size(); ++i) {
      if (manifest->findings()[i].state == FindingState::kUnpinned)
        edits.push_back({.finding = i, .digest = digest});
    }
    ASSERT_EQ(edits.size(), text.contains("c:1") ? 2U : 1U) << text;
    const auto edited = manifest->edited(edits);
    ASSERT_TRUE(edited.has_value()) << edited.error().message << text;
    EXPECT_TRUE(edited->contains("@" + digest.to_string())) << *edited;
  }
}

TEST(InString, OfAFileForCertainIsToldWhatNobodyCanPin) {
  const auto states = [](const std::string& text) {
    const auto manifest = Manifest::parse("a.yaml", text);
    EXPECT_TRUE(manifest.has_value()) << manifest.error().message << text;
    std::vector<FindingState> found;
    for (const Finding& finding : manifest->findings()) found.push_back(finding.state);
    return found;
  };
  const auto values = [](const std::string& text) {
    return "apiVersion: argoproj.io/v1\nkind: Application\nspec: {source: {helm: {values: " + text +
           "}}}\n";
  };
  using enum FindingState;
  EXPECT_EQ(states(values("'a: {'")), std::vector{kUnpinnable});
  EXPECT_EQ(states(values("'{{ if x }}'")), std::vector{kNotKnown});
  EXPECT_EQ(states(values("'a: b'")), std::vector<FindingState>{});
  EXPECT_EQ(states("services: {a: {build: {dockerfile_inline: 'FROM Upper:1'}}}\n"),
            std::vector{kUnpinnable});
  EXPECT_EQ(states("services: {a: {build: {dockerfile_inline: 'FROM a:$V'}}}\n"),
            std::vector{kNotKnown});
}

TEST(InString, AnImageThatIsNoneStopsNobody) {
  const std::string text =
      config_map("  c: |\n    services: {a: {image: 'A B'}, b: {image: b:2}}\n");
  const Manifest manifest = parsed(text);
  ASSERT_EQ(manifest.findings().size(), 2U);
  EXPECT_EQ(manifest.findings()[0].state, FindingState::kLeftAlone);
  EXPECT_FALSE(manifest.findings()[0].reason.starts_with(':')) << manifest.findings()[0].reason;
  EXPECT_EQ(pinned(text), with_digests(text, {"b:2"}));
}

TEST(InString, ATagThatReadsAsANumberGetsQuotesWhereTheyHaveAPlace) {
  const std::string block = config_map("  values.yaml: |\n    image: {repository: a, tag: 1.10}\n");
  EXPECT_TRUE(pinned(block).contains("tag: \"1.10@sha256:")) << pinned(block);
  const std::string quoted = config_map("  values.yaml: \"image: {repository: a, tag: 1.10}\"\n");
  const std::string once = pinned(quoted);
  EXPECT_TRUE(once.contains("tag: '1.10@sha256:")) << once;
  EXPECT_EQ(pinned(once), once);
  const std::string json = config_map("  values.yaml: \"{image: {repository: a, tag: 1.10}}\"\n");
  EXPECT_EQ(pinned(json), json);
  EXPECT_EQ(parsed(json).findings()[0].state, FindingState::kUnpinnable);
}

TEST(InString, NothingIsFoundUnlessItIsAskedFor) {
  const std::string text = config_map(format("  pod.json: '{}'\n", kPod));
  EXPECT_TRUE(Manifest::parse("cm.yaml", text)->findings().empty());
  EXPECT_EQ(parsed(text).findings().size(), 1U);
  // Nor in other objects.
  EXPECT_TRUE(parsed(format("apiVersion: v1\nkind: Secret\ndata:\n  pod.json: '{}'\n", kPod))
                  .findings()
                  .empty());
}

TEST(TextMap, NamesTheBytesOfEachCharacter) {
  const std::string bytes = "k: \"a\\n\\\"b\"\n";
  const auto map =
      TextMap::locate(bytes, {.begin = 3, .end = 11}, ScalarStyle::kDoubleQuoted, "a\n\"b");
  ASSERT_TRUE(map.has_value());
  EXPECT_EQ(map->in_file({.begin = 1, .end = 3}), (Span{.begin = 5, .end = 9}));
  EXPECT_EQ(map->in_file({.begin = 4, .end = 4}), (Span{.begin = 10, .end = 10}));
  EXPECT_EQ(map->in_file({.begin = 0, .end = 0}), (Span{.begin = 4, .end = 4}));
}

}  // namespace
}  // namespace windlass::manifest

#include "windlass/manifest/manifest.h"

#include <gtest/gtest.h>

namespace windlass::manifest {
namespace {

const image::Digest kDigest = image::Digest::sha256_of("one");
const image::Digest kOther = image::Digest::sha256_of("another");

std::string pod(const std::string& image) {
  return "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: " + image + "\n";
}

Manifest parsed(const std::string& bytes) {
  auto manifest = Manifest::parse("pod.yaml", bytes);
  EXPECT_TRUE(manifest.has_value()) << manifest.error().message;
  return std::move(*manifest);
}

TEST(Manifest, WritesTheDigestBehindTheTagOrInItsPlace) {
  const std::string at = "@" + kDigest.to_string();
  const std::tuple<std::string, std::string, std::string> table[] = {
      {"reg.test/a:1", "reg.test/a:1" + at, "reg.test/a" + at},
      {"reg.test/a", "reg.test/a" + at, "reg.test/a" + at},
      {"'reg.test/a:1' # why", "'reg.test/a:1" + at + "' # why", "'reg.test/a" + at + "' # why"},
      {"\"reg.test\\/a\\x3a\\x31\"", "\"reg.test\\/a\\x3a\\x31" + at + "\"",
       "\"reg.test\\/a" + at + "\""},
      {"reg.test/a:1@" + kOther.to_string(), "reg.test/a:1" + at, "reg.test/a" + at},
      {">-\n      reg.test/a:1", ">-\n      reg.test/a:1" + at, ">-\n      reg.test/a" + at},
  };
  for (const auto& [image, with_tag, without_tag] : table) {
    const Manifest manifest = parsed(pod(image));
    ASSERT_EQ(manifest.findings().size(), 1U);
    EXPECT_EQ(manifest.edited({{{.finding = 0, .digest = kDigest}}}), pod(with_tag));
    EXPECT_EQ(manifest.edited({{{.finding = 0, .digest = kDigest, .style = Style::kDigest}}}),
              pod(without_tag));
  }
}

TEST(Manifest, TheTextOfAFindingIsTheNameItselfAndNotWhatStandsAroundIt) {
  const std::tuple<const char*, const char*, const char*> table[] = {
      {"compose.yaml", "services: {a: {image: '${A:-reg.test/a:1}'}}\n", "reg.test/a:1"},
      {"action.yml", "runs: {image: 'docker://reg.test/a:1'}\n", "reg.test/a:1"},
      {"Dockerfile", "FROM scratch\nCOPY --from=reg.test/a:1 / /\n", "reg.test/a:1"},
      {"values.yaml", "{registry: reg.test, repository: a, tag: 1}\n", "reg.test/a:1"},
  };
  for (const auto& [name, text, image] : table) {
    const auto manifest = Manifest::parse(name, text);
    ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
    const Finding& finding = manifest->findings().back();
    ASSERT_EQ(finding.state, FindingState::kUnpinned) << finding.reason;
    EXPECT_EQ(finding.text, image);
    EXPECT_EQ(finding.reference->written(), image);
  }
}

TEST(Manifest, TakesADigestOutAndLeavesTheTag) {
  const std::string at = "@" + kDigest.to_string();
  for (const std::string text : {"reg.test/a:1", "reg.test/a"}) {
    const Manifest manifest = parsed(pod("\"" + text + at + "\""));
    EXPECT_EQ(manifest.edited({{{.finding = 0}}}), pod("\"" + text + "\""));
  }
}

TEST(Manifest, ReplacementsNameTheBytesInTheOrderOfTheFile) {
  const std::string text = pod("a:1") + "  - image: b:1@" + kOther.to_string() + "\n";
  const Manifest manifest = parsed(text);
  const auto replaced = manifest.replacements(
      {{{.finding = 1, .digest = kDigest}, {.finding = 0, .digest = kDigest}}});
  const std::string at = "@" + kDigest.to_string();
  const std::size_t a = text.find("a:1") + 3;
  const std::size_t b = text.find("@sha256");
  const std::vector<Replacement> expected = {{.bytes = {a, a}, .text = at},
                                             {.bytes = {b, b + at.size()}, .text = at}};
  EXPECT_EQ(replaced, expected);
}

TEST(Manifest, AnEditThatChangesNothingIsNoReplacement) {
  const Manifest manifest = parsed(pod("a:1@" + kDigest.to_string()));
  EXPECT_TRUE(manifest.replacements({{{.finding = 0, .digest = kDigest}}}).empty());
  EXPECT_EQ(manifest.edited({{{.finding = 0, .digest = kDigest}}}), manifest.bytes());
  EXPECT_EQ(manifest.edited({}), manifest.bytes());
}

TEST(Manifest, OfDuplicateKeysTheLastCountsWhenAllowed) {
  const std::string text = pod("a:1") + "    image: b:1\n";
  EXPECT_EQ(
      Manifest::parse("f.yaml", text).error().message,
      "f.yaml:6:5: duplicate key \"image\": it stands on line 5 already; keep one of the two");
  const auto lenient = Manifest::parse("f.yaml", text, {.allow_duplicate_keys = true});
  ASSERT_TRUE(lenient.has_value());
  ASSERT_EQ(lenient->findings().size(), 1U);
  EXPECT_EQ(lenient->findings()[0].text, "b:1");
}

TEST(Manifest, RefusesWhatIsTooLargeOrTooDeep) {
  EXPECT_EQ(Manifest::parse("f.yaml", "a: b", {.bytes_max = 3}).error().message,
            "f.yaml: 4 bytes; at most 3 are read");
  EXPECT_EQ(Manifest::parse("f.yaml", std::string(100000, '[')).error().message,
            "f.yaml:1:201: nested more than 200 levels deep");
  EXPECT_TRUE(Manifest::parse("f.yaml", std::string(200, '[') + std::string(200, ']')).has_value());
}

TEST(Manifest, AliasesThatLeadNowhereEndlesslyAreRefused) {
  const std::string cycle =
      "apiVersion: v1\nkind: List\nitems: &a\n- {kind: List, apiVersion: v1, items: *a}\n";
  EXPECT_EQ(Manifest::parse("f.yaml", cycle).error().message,
            "f.yaml:1:1: aliases of this document lead to endlessly many places");
  std::string bomb = "apiVersion: v1\nkind: List\nx0: &x0 [{kind: Pod, apiVersion: v1}]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*x" + std::to_string(i - 1);
    bomb += "x" + std::to_string(i) + ": &x" + std::to_string(i) + " [";
    for (int j = 0; j < 9; ++j)
      bomb += (j > 0 ? ", " : "") + ("{kind: List, apiVersion: v1, items: " + last + "}");
    bomb += "]\n";
  }
  EXPECT_FALSE(Manifest::parse("f.yaml", bomb + "items: *x11\n").has_value());
}

TEST(Manifest, AnAnchoredKeyIsNotEdited) {
  const Manifest manifest =
      parsed("apiVersion: v1\nkind: Pod\n&k app: x\nspec:\n  containers:\n  - image: *k\n");
  ASSERT_EQ(manifest.findings().size(), 1U);
  EXPECT_EQ(manifest.findings()[0].state, FindingState::kUnpinnable);
  EXPECT_EQ(manifest.findings()[0].reason, "anchored at a key, which must stay");
}

TEST(Manifest, CopiesAreIndependentOfWhatTheyWereCopiedFrom) {
  auto first = std::make_unique<Manifest>(parsed(pod("a:1")));
  const Manifest copy = *first;
  first.reset();
  EXPECT_EQ(copy.edited({{{.finding = 0, .digest = kDigest}}}), pod("a:1@" + kDigest.to_string()));
}

TEST(Manifest, TellsWhoseImageItIsWhenAsked) {
  const std::string text =
      "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n"
      "  kind: Pod\n  metadata:\n    name: p\n    namespace: shop\n    annotations:\n"
      "      internal.config.kubernetes.io/path: 'pods/p.yaml'\n"
      "      config.kubernetes.io/index: '2'\n"
      "  spec: {containers: [{name: c, image: 'reg.test/a:1'}]}\n";
  const auto manifest = Manifest::parse("f.yaml", text, {.identify_objects = true});
  ASSERT_TRUE(manifest.has_value() && manifest->findings().size() == 1);
  const ObjectIdentity expected{.api_version = "v1",
                                .kind = "Pod",
                                .name = "p",
                                .name_space = "shop",
                                .file = "pods/p.yaml",
                                .index = "2"};
  EXPECT_EQ(manifest->findings()[0].identity, expected);
  EXPECT_EQ(Manifest::parse("f.yaml", text)->findings()[0].identity, std::nullopt);
}

TEST(Manifest, TellsTheReferenceAfterAnEditWhereverItsTagStands) {
  const std::string digest = kDigest.to_string();
  const std::pair<std::string, std::string> table[] = {
      {"image: {repository: reg.test/a, tag: v1}", "reg.test/a:v1"},
      {"image: {repository: reg.test/a, tag: v1, digest: ''}", "reg.test/a:v1"},
      {"image: {repository: 'reg.test/a:v1', digest: '" + digest + "'}", "reg.test/a:v1"},
      {"image: {repository: 'reg.test/a:v1'}", "reg.test/a:v1"},
      {"image: {repository: 'reg.test/a:v1', tag: ''}", "reg.test/a:v1"},
      {"image: {registry: reg.test, repository: 'a:v1', digest: ''}", "reg.test/a:v1"},
      {"image: 'reg.test/a:v1'", "reg.test/a:v1"},
  };
  for (const auto& [text, reference] : table) {
    const auto manifest = Manifest::parse("values.yaml", text);
    ASSERT_TRUE(manifest.has_value() && manifest->findings().size() == 1) << text;
    EXPECT_EQ(manifest->reference_after({.finding = 0, .digest = kDigest}),
              reference + "@" + digest);
    EXPECT_EQ(manifest->reference_after({.finding = 0}), reference) << text;
    for (const auto& to : {std::optional(kDigest), std::optional<image::Digest>()}) {
      const Edit edit{.finding = 0, .digest = to};
      const auto edited = manifest->edited({{edit}});
      ASSERT_TRUE(edited.has_value()) << edited.error().message;
      const auto again = Manifest::parse("values.yaml", *edited);
      ASSERT_TRUE(again.has_value() && again->findings()[0].reference) << *edited;
      EXPECT_EQ(again->findings()[0].reference->written(), manifest->reference_after(edit));
    }
  }
}

}  // namespace
}  // namespace windlass::manifest

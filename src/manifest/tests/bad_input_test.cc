// Files that are broken, hostile or huge: each has a documented result, with the place, in little
// time.
#include <gtest/gtest.h>

#include <string>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

std::string error_of(const std::string& text, const std::string& file_name = "f.yaml") {
  const auto manifest = Manifest::parse(file_name, text);
  return manifest ? "" : manifest.error().message;
}

std::string repeated(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

constexpr std::string_view kPod =
    "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: a/b:1\n";

TEST(BadInput, AliasesThatExpandWithoutEndAreRefusedOrReadOnce) {
  std::string lists = "a0: &a0 [x, x]\n";
  std::string objects = "a0: &a0 {apiVersion: v1, kind: Pod}\n";
  std::string merges = "a0: &a0 {image: x}\n";
  for (int i = 1; i < 40; ++i) {
    const std::string name = "a" + std::to_string(i);
    const std::string last = "*a" + std::to_string(i - 1);
    lists += name + ": &" + name + " [" + last + repeated(", " + last, 8) + "]\n";
    objects += name + ": &" + name + " {apiVersion: v1, kind: List, items: [" + last +
               repeated(", " + last, 8) + "]}\n";
    merges += name + ": &" + name + " {<<: [" + last + repeated(", " + last, 8) + "]}\n";
  }
  EXPECT_EQ(error_of(lists), "");
  EXPECT_EQ(error_of(objects + "apiVersion: v1\nkind: List\nitems: [*a39]\n"),
            "f.yaml:1:1: aliases of this document lead to endlessly many places");
  EXPECT_EQ(error_of(merges), "f.yaml:1:1: aliases of this document lead to endlessly many places");
  EXPECT_EQ(error_of("a: &a {<<: [*a, *a, *a], image: *a}\n"), "");
}

TEST(BadInput, ManyMergesOfAWideMappingAreRefused) {
  std::string text = "wide: &w {" + repeated("\"k\": 1, ", 1) + "z: 1";
  for (int i = 0; i < 20'000; ++i) text += ", k" + std::to_string(i) + ": 1";
  text += "}\nitems:\n" + repeated("- {<<: *w}\n", 5'000);
  EXPECT_EQ(error_of(text), "f.yaml:1:1: aliases of this document lead to endlessly many places");
}

TEST(BadInput, DeepNestingIsRefusedWithThePlace) {
  EXPECT_EQ(error_of(repeated("[", 201) + repeated("]", 201)),
            "f.yaml:1:201: nested more than 200 levels deep");
  EXPECT_EQ(error_of("a: " + repeated("[", 50'000)),
            "f.yaml:1:203: nested more than 200 levels deep");
  EXPECT_EQ(error_of(repeated("- ", 300) + "a\n"),
            "f.yaml:1:401: nested more than 200 levels deep");
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_EQ(error_of(deep), "f.yaml:201:201: nested more than 200 levels deep");
  EXPECT_EQ(error_of(repeated("[", 100'000), "f.json"),
            "f.json:1:201: nested more than 200 levels deep");
}

TEST(BadInput, OneLineWithManyImagesIsReadInLittleTime) {
  std::string items;
  for (int i = 0; i < 5'000; ++i) {
    items += std::string(i == 0 ? "" : ", ") +
             R"({"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"image": "a/b:)" +
             std::to_string(i) + "\"}]}}";
  }
  const std::string text =
      R"({"apiVersion": "v1", "kind": "List", "items": [)" + items + "]} # windlass: ignore-not";
  for (const std::string& file : {text, text.substr(0, text.find(" #"))}) {
    const auto manifest = Manifest::parse("f.yaml", file);
    ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
    EXPECT_EQ(manifest->findings().size(), 5'000U);
    EXPECT_EQ(manifest->findings().back().location.line, 1U);
  }
}

TEST(BadInput, OneLineWithManyBracesIsReadInLittleTime) {
  constexpr std::size_t kTimes = 300'000;
  EXPECT_EQ(error_of("\t" + repeated("x{{", kTimes)).substr(0, 11), "f.yaml:1:1:");
  EXPECT_EQ(error_of("\t" + repeated("x{{}}", kTimes) + " #").substr(0, 11), "f.yaml:1:1:");
  EXPECT_EQ(error_of("\t'" + repeated("x{{ }}", kTimes)).substr(0, 11), "f.yaml:1:1:");
  EXPECT_EQ(error_of("\t" + repeated("${{", kTimes)).substr(0, 11), "f.yaml:1:1:");
}

TEST(BadInput, ManyTextsAmongManyAliasesAreReadInLittleTime) {
  constexpr std::size_t kTimes = 20'000;
  std::string text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nx: &x 1\ny:\n";
  text += repeated("- *x\n", kTimes) + "data:\n";
  for (std::size_t i = 0; i < kTimes; ++i) {
    text += "  a" + std::to_string(i) + ".yaml: 'kind: Pod'\n";
  }
  text +=
      "  b.yaml: &b |\n    apiVersion: v1\n    kind: Pod\n    spec: {containers: [{image: a:1}]}\n";
  for (std::size_t i = 0; i < kTimes; ++i) {
    text += "  c" + std::to_string(i) + ".yaml: |\n    services: {a: {image: a:1}}\n";
  }
  const auto manifest = Manifest::parse("f.yaml", text, {.in_strings = true});
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  EXPECT_EQ(manifest->findings().size(), kTimes + 1);
}

TEST(BadInput, TenThousandDocumentsAreCountedAndPinned) {
  std::string text;
  for (int i = 0; i < 10'000; ++i)
    text += i % 100 == 0 ? "---\n" + std::string(kPod) : "---\na: b\n";
  const auto manifest = Manifest::parse("f.yaml", text);
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  EXPECT_EQ(manifest->documents(), 10'000U);
  ASSERT_EQ(manifest->findings().size(), 100U);
  EXPECT_EQ(manifest->findings()[1].document, 101U);
  EXPECT_TRUE(manifest->edited({{{.finding = 99, .digest = image::Digest::sha256_of("x")}}}));
}

TEST(BadInput, FilesBeyondTheBoundAreRefused) {
  const auto manifest = Manifest::parse("f.yaml", std::string(kPod), {.bytes_max = 10});
  ASSERT_FALSE(manifest.has_value());
  EXPECT_EQ(manifest.error().message, "f.yaml: 62 bytes; at most 10 are read");
}

TEST(BadInput, TextInOtherEncodingsAndControlCharactersAreRefusedWithThePlace) {
  using namespace std::string_literals;
  const std::pair<std::string, std::string> table[] = {
      {"a: b\nc: \0d\n"s, "f.yaml:2:4: a control character is not allowed in YAML"},
      {"a: b\n---\nc: \x01\n", "f.yaml:3:4: a control character is not allowed in YAML"},
      {"a: b\n# \x7F\n", "f.yaml:2:3: a control character is not allowed in YAML"},
      {"a: \xFF\n", "f.yaml:1:4: byte 0xff is not UTF-8: save the file as UTF-8"},
      {"a\0:\0"s, "f.yaml:1:1: the file is UTF-16 or binary: save it as UTF-8"},
      {"a: b\n\tc: d\n",
       "f.yaml:2:1: a tab in the indentation: expected blanks (the plain scalar starts on line 1)"},
  };
  for (const auto& [text, message] : table) EXPECT_EQ(error_of(text), message);
}

TEST(BadInput, LinesThatEndInACarriageReturnAloneAreLines) {
  std::string text(kPod);
  for (char& c : text) c = c == '\n' ? '\r' : c;
  const auto manifest = Manifest::parse("f.yaml", text);
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  ASSERT_EQ(manifest->findings().size(), 1U);
  EXPECT_EQ(manifest->findings()[0].location, (Location{5, 12}));
  const image::Digest digest = image::Digest::sha256_of("x");
  const auto pinned =
      manifest->edited({{{.finding = 0, .digest = digest, .style = Style::kComment}}});
  ASSERT_TRUE(pinned.has_value()) << pinned.error().message;
  EXPECT_EQ(*pinned, text.substr(0, text.size() - 3) + "@" + digest.to_string() + "  # tag: 1\r");
  EXPECT_EQ(error_of("a: b\r\tc: d\r"),
            "f.yaml:2:1: a tab in the indentation: expected blanks (the plain scalar starts on "
            "line 1)");
}

TEST(BadInput, AByteOrderMarkStays) {
  const std::string text = "\xEF\xBB\xBF" + std::string(kPod);
  const auto manifest = Manifest::parse("f.yaml", text);
  ASSERT_TRUE(manifest.has_value()) << manifest.error().message;
  const auto pinned = manifest->edited({{{.finding = 0, .digest = image::Digest::sha256_of("x")}}});
  EXPECT_TRUE(
      pinned->starts_with("\xEF\xBB\xBF"
                          "apiVersion"));
}

}  // namespace
}  // namespace windlass::manifest

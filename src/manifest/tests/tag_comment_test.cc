#include "tag_comment.h"

#include <gtest/gtest.h>

#include "windlass/manifest/manifest.h"

namespace windlass::manifest {
namespace {

const image::Digest kOld = image::Digest::sha256_of("old");
const image::Digest kNew = image::Digest::sha256_of("new");

std::string pod_with(const std::string& image_line) {
  return "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: " + image_line +
         "\n    name: x\n";
}

Manifest pod(const std::string& image_line) {
  auto manifest = Manifest::parse("f.yaml", pod_with(image_line));
  EXPECT_TRUE(manifest.has_value() && manifest->findings().size() == 1) << image_line;
  return *manifest;
}

std::string edited(const std::string& image_line, std::optional<image::Digest> digest,
                   Style style = Style::kAsWritten) {
  const Manifest manifest = pod(image_line);
  const auto text = manifest.edited({{{.finding = 0, .digest = digest, .style = style}}});
  EXPECT_TRUE(text.has_value()) << text.error().message;
  const std::string head = pod_with("");
  const std::size_t begin = head.find("image: ") + 7;
  return text->substr(begin, text->size() - head.size());
}

TEST(TagComment, HoldsTheTagAndGivesItBack) {
  const std::string at = "@" + kOld.to_string();
  struct Case {
    std::string before;
    std::string after;
  };
  const Case cases[] = {
      {"app:1.27", "app" + at + "  # tag: 1.27"},
      {"'app:1.27'", "'app" + at + "'  # tag: 1.27"},
      {"\"reg.test\\/app:1\" # keep", "\"reg.test\\/app" + at + "\"  # tag: 1 # keep"},
      {"&a app:1 #c", "&a app" + at + "  # tag: 1 #c"},
      {"app:1\r", "app" + at + "  # tag: 1\r"},
      {"app", "app" + at},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(edited(c.before, kOld, Style::kComment), c.after);
    EXPECT_EQ(edited(c.after, kOld, Style::kComment), c.after);
    EXPECT_EQ(edited(c.after, std::nullopt), c.before);
  }
}

TEST(TagComment, StaysWhereNoneCanStand) {
  const std::string at = "@" + kOld.to_string();
  EXPECT_EQ(edited("app:1 # {\"$imagepolicy\": \"f:app\"}", kOld, Style::kComment),
            "app:1" + at + " # {\"$imagepolicy\": \"f:app\"}");
  EXPECT_EQ(edited("\"app\\x3a1\"", kOld, Style::kComment), "\"app\\x3a1" + at + "\"");
  EXPECT_EQ(edited("|-\n      app:1", kOld, Style::kComment), "|-\n      app:1" + at);
  const auto flow = Manifest::parse(
      "f.yaml", "{apiVersion: v1, kind: Pod, spec: {containers: [{image: app:1}]}}");
  EXPECT_EQ(*flow->edited({{{.finding = 0, .digest = kOld, .style = Style::kComment}}}),
            "{apiVersion: v1, kind: Pod, spec: {containers: [{image: app:1" + at + "}]}}");
}

TEST(TagComment, IsRenewedWithoutBeingTouched) {
  const std::string line = "app@" + kOld.to_string() + " #  tag:  1.27 # more";
  const Manifest manifest = pod(line);
  EXPECT_EQ(manifest.findings()[0].tag_in_comment, "1.27");
  EXPECT_EQ(manifest.findings()[0].followed()->written(), "app:1.27");
  EXPECT_EQ(edited(line, kNew), "app@" + kNew.to_string() + " #  tag:  1.27 # more");
  EXPECT_EQ(edited(line, kNew, Style::kTagAndDigest), "app:1.27@" + kNew.to_string() + " # more");
  EXPECT_EQ(edited(line, kNew, Style::kDigest), "app@" + kNew.to_string() + " # more");
}

TEST(TagComment, LeavesTheWordsBehindItAComment) {
  const std::string image = "app@" + kOld.to_string();
  const std::pair<std::string, std::string> cases[] = {
      {"  # tag: 1.27 (LTS)", "app:1.27  # (LTS)"},
      {" #tag: 1.27  (LTS)", "app:1.27 #(LTS)"},
      {" # ratchet:app:1 keep", "app:1 # keep"},
      {" # app:1.27 because of a fault", "app:1.27 # because of a fault"},
      {" # tag: 1 # x", "app:1 # x"},
      {" # tag: 1 \r", "app:1 \r"},
  };
  for (const auto& [comment, unpinned] : cases) {
    EXPECT_EQ(edited(image + comment, std::nullopt), unpinned);
    const std::size_t tag = unpinned.find_first_of(" #");
    EXPECT_EQ(edited(image + comment, kNew, Style::kTagAndDigest),
              unpinned.substr(0, tag) + "@" + kNew.to_string() + unpinned.substr(tag));
    EXPECT_EQ(edited(image + comment, kNew), "app@" + kNew.to_string() + comment);
  }
}

TEST(TagComment, OfOtherToolsIsRead) {
  const std::string image = "reg.test/app@" + kOld.to_string();
  const std::pair<std::string, std::string> cases[] = {
      {" # 1.27", "1.27"},
      {" # v1", "v1"},
      {" # latest", "latest"},
      {" # reg.test/app:1.27", "1.27"},
      {" # ratchet:reg.test/app:1.27", "1.27"},
      {" # other/app:1.27", ""},
      {" # pinned", ""},
      {" # 2 replicas", ""},
      {" # tag: ???", ""},
      {"", ""},
  };
  for (const auto& [comment, tag] : cases)
    EXPECT_EQ(pod(image + comment).findings()[0].tag_in_comment, tag) << comment;
}

TEST(TagComment, IsStaleWhereTheReferenceHasATagItself) {
  const std::string line = "app:2@" + kOld.to_string() + " # tag: 1";
  EXPECT_EQ(pod(line).findings()[0].followed()->written(), "app:2");
  EXPECT_EQ(edited(line, kNew), "app:2@" + kNew.to_string() + " # tag: 1");
}

TEST(TagComment, OfADigestAloneIsUnknown) {
  EXPECT_EQ(pod("app@" + kOld.to_string()).findings()[0].followed(), std::nullopt);
}

}  // namespace
}  // namespace windlass::manifest

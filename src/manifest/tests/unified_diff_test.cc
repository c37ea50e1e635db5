#include "windlass/manifest/unified_diff.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace windlass::manifest {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
    const std::size_t feed = text.find('\n');
    end = feed == std::string_view::npos ? text.size() : feed + 1;
    lines.emplace_back(text.substr(0, end));
  }
  return lines;
}

struct HunkHead {
  std::size_t begin = 0;  // from 0
  std::size_t count = 0;
};

// "12,3" or "12": an empty range names the line in front of it.
HunkHead parse_range(const std::string& text) {
  const std::size_t comma = text.find(',');
  HunkHead head;
  head.count = comma == std::string::npos ? 1 : std::stoul(text.substr(comma + 1));
  head.begin = std::stoul(text.substr(0, comma)) - (head.count == 0 ? 0 : 1);
  return head;
}

// Applies a difference the way `patch` does, but with every line checked and no fuzz. Returns
// "(reason)" when it does not apply.
std::string applied(std::string_view before, std::string_view diff) {
  const std::vector<std::string> old_lines = lines_of(before);
  std::vector<std::string> script = lines_of(diff);
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 2; i < script.size();) {
    const std::string& head = script[i];
    if (!head.starts_with("@@ -")) return "(no hunk head)";
    const std::size_t plus = head.find(" +");
    const HunkHead from = parse_range(head.substr(4, plus - 4));
    const HunkHead to = parse_range(head.substr(plus + 2, head.find(" @@") - plus - 2));
    for (; next < from.begin; ++next) out += old_lines.at(next);
    if (lines_of(out).size() != to.begin) return "(new range does not fit)";
    std::size_t taken = 0;
    std::size_t given = 0;
    for (++i; i < script.size() && !script[i].starts_with("@@"); ++i) {
      std::string line = script[i].substr(1);
      if (i + 1 < script.size() && script[i + 1].starts_with('\\')) line.pop_back();
      const char sign = script[i][0];
      if (sign == '\\') continue;
      if (sign != '+') {
        if (next >= old_lines.size() || old_lines[next++] != line) return "(context differs)";
        ++taken;
      }
      if (sign != '-') {
        out += line;
        ++given;
      }
    }
    if (taken != from.count || given != to.count) return "(counts differ)";
  }
  for (; next < old_lines.size(); ++next) out += old_lines[next];
  return out;
}

TEST(UnifiedDiff, OfEqualTextsIsEmpty) {
  EXPECT_EQ(unified_diff("", "", "f"), "");
  EXPECT_EQ(unified_diff("a\nb", "a\nb", "f"), "");
}

TEST(UnifiedDiff, ShowsThreeLinesAroundAChange) {
  EXPECT_EQ(
      unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "d/f.yaml"),
      "--- a/d/f.yaml\n+++ b/d/f.yaml\n"
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(UnifiedDiff, JoinsChangesThatShareTheirContextAndPartsOthers) {
  const std::string before = "a\n1\n2\n3\n4\n5\n6\nb\n1\n2\n3\n4\n5\n6\n7\nc\n";
  const std::string after = "A\n1\n2\n3\n4\n5\n6\nB\n1\n2\n3\n4\n5\n6\n7\nC\n";
  EXPECT_EQ(unified_diff(before, after, "f"),
            "--- a/f\n+++ b/f\n"
            "@@ -1,11 +1,11 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n 1\n 2\n 3\n"
            "@@ -13,4 +13,4 @@\n 5\n 6\n 7\n-c\n+C\n");
}

TEST(UnifiedDiff, SaysWhenTheLastLineHasNoEnd) {
  EXPECT_EQ(unified_diff("a\nb", "a\nc", "f"),
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n"
            "+c\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("a", "a\n", "f"),
            "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST(UnifiedDiff, KeepsCarriageReturns) {
  EXPECT_EQ(unified_diff("a\r\nb\r\n", "a\r\nc\r\n", "f"),
            "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
}

TEST(UnifiedDiff, CountsFromTheLineInFrontOfAnEmptyRange) {
  EXPECT_EQ(unified_diff("", "a\n", "f"), "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
  EXPECT_EQ(unified_diff("a\n", "", "f"), "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a\n");
}

rc::Gen<std::string> any_text() {
  const auto line = rc::gen::element<std::string>("a\n", "b\n", "c\n", "\n", "d\r\n", "-\n", "+\n");
  return rc::gen::map(rc::gen::pair(rc::gen::container<std::vector<std::string>>(line),
                                    rc::gen::element("", "end")),
                      [](const std::pair<std::vector<std::string>, const char*>& parts) {
                        std::string text;
                        for (const std::string& part : parts.first) text += part;
                        return text + parts.second;
                      });
}

RC_GTEST_PROP(UnifiedDiffProperties, AppliedToTheOldTextGivesTheNewOne, ()) {
  const std::string before = *any_text();
  const std::string after = *any_text();
  RC_ASSERT(applied(before, unified_diff(before, after, "f")) == after);
}

RC_GTEST_PROP(UnifiedDiffProperties, LinesChangedInPlaceAreTheOnlyOnesShownAsChanged, ()) {
  const std::string before = *any_text();
  std::string after;
  std::size_t changed = 0;
  for (const std::string& line : lines_of(before)) {
    const bool change = *rc::gen::arbitrary<bool>();
    after += change ? "new " + line : line;
    changed += change ? 1 : 0;
  }
  const std::string diff = unified_diff(before, after, "f");
  RC_ASSERT(applied(before, diff) == after);
  std::size_t removed = 0;
  const std::vector<std::string> script = lines_of(diff);
  for (std::size_t i = 2; i < script.size(); ++i) removed += script[i].starts_with('-') ? 1 : 0;
  RC_ASSERT(removed == changed);
}

TEST(UnifiedDiff, NamesAreWrittenAsGitReadsThem) {
  const std::pair<std::string_view, std::string_view> table[] = {
      {"/tmp/f", "--- a/tmp/f\n+++ b/tmp/f\n"},
      {"./a.yaml", "--- a/a.yaml\n+++ b/a.yaml\n"},
      {"d/.//./.e/f..", "--- a/d/.e/f..\n+++ b/d/.e/f..\n"},
      {"d/a b", "--- a/d/a b\t\n+++ b/d/a b\t\n"},
      {"a\nb", "--- \"a/a\\012b\"\n+++ \"b/a\\012b\"\n"},
      {"\x1b[1m", "--- \"a/\\033[1m\"\n+++ \"b/\\033[1m\"\n"},
      {"say \"x\\\"", "--- \"a/say \\\"x\\\\\\\"\"\n+++ \"b/say \\\"x\\\\\\\"\"\n"},
      {"caf\u00e9", "--- a/caf\u00e9\n+++ b/caf\u00e9\n"},
  };
  for (const auto& [name, header] : table)
    EXPECT_TRUE(unified_diff("a\n", "b\n", name).starts_with(header)) << name;
}

}  // namespace
}  // namespace windlass::manifest

#include "git_ignore.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::app {
namespace {

namespace fs = std::filesystem;

TEST(GlobMatches, StarsStopAtSlashesUnlessThereAreTwo) {
  struct Row {
    const char* glob;
    const char* text;
    bool fits;
  };
  constexpr Row kTable[] = {
      {"*.yaml", "a.yaml", true},
      {"*.yaml", "d/a.yaml", false},
      {"a?c", "abc", true},
      {"a?c", "a/c", false},
      {"[ab].x", "b.x", true},
      {"[!ab].x", "b.x", false},
      {"[a-c]", "b", true},
      {"[]]", "]", true},
      {"[a", "a", false},
      {"\\*", "*", true},
      {"\\*", "a", false},
      {"**/a", "a", true},
      {"**/a", "x/y/a", true},
      {"**/a", "x/ya", false},
      {"a/**", "a/b/c", true},
      {"a/**/b", "a/b", true},
      {"a/**/b", "a/x/y/b", true},
      {"a/**/b", "a/xb", false},
      {"a**b", "a/b", false},
      {"", "", true},
      {"", "a", false},
      {"*a*a*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
  };
  for (const Row& row : kTable) {
    EXPECT_EQ(glob_matches(row.glob, row.text), row.fits) << row.glob << " " << row.text;
  }
}

TEST(IgnorePatterns, TheLastPatternThatFitsDecides) {
  const auto patterns = IgnorePatterns::parse(
      "# a comment\n\n*.yaml\n!keep.yaml\n/top.json\nfolder/\r\nsub/deep.yml\n\\#odd\ntrail.x   "
      "\n");
  using Verdict = std::optional<bool>;
  EXPECT_EQ(patterns.ignores("a.yaml", false), Verdict(true));
  EXPECT_EQ(patterns.ignores("d/a.yaml", false), Verdict(true));
  EXPECT_EQ(patterns.ignores("d/keep.yaml", false), Verdict(false));
  EXPECT_EQ(patterns.ignores("top.json", false), Verdict(true));
  EXPECT_EQ(patterns.ignores("d/top.json", false), Verdict());
  EXPECT_EQ(patterns.ignores("d/folder", true), Verdict(true));
  EXPECT_EQ(patterns.ignores("d/folder", false), Verdict());
  EXPECT_EQ(patterns.ignores("sub/deep.yml", false), Verdict(true));
  EXPECT_EQ(patterns.ignores("x/sub/deep.yml", false), Verdict());
  EXPECT_EQ(patterns.ignores("#odd", false), Verdict(true));
  EXPECT_EQ(patterns.ignores("trail.x", false), Verdict(true));
}

class GitIgnoreTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }

  const TemporaryFolder folder_;
  const fs::path root_ = folder_.root();
};

TEST_F(GitIgnoreTest, FilesFurtherDownDecideFirstAndInnerRepositoriesAlone) {
  write(".git/info/exclude", "secret.yaml\n");
  write(".gitignore", "*.yaml\n/vendor/\n");
  write("d/.gitignore", "!good.yaml\n");
  write("inner/.git/HEAD", "");
  GitIgnore git;
  EXPECT_TRUE(git.ignores(root_ / "a.yaml", false));
  EXPECT_FALSE(git.ignores(root_ / "a.yml", false));
  EXPECT_FALSE(git.ignores(root_ / "d/good.yaml", false));
  EXPECT_TRUE(git.ignores(root_ / "d/bad.yaml", false));
  EXPECT_TRUE(git.ignores(root_ / "vendor", true));
  EXPECT_FALSE(git.ignores(root_ / "d/vendor", true));
  EXPECT_TRUE(git.ignores(root_ / "d/e/secret.yaml", false));
  EXPECT_FALSE(git.ignores(root_ / "inner/a.yaml", false));
}

TEST_F(GitIgnoreTest, OutsideAWorkingTreeNothingIsIgnored) {
  write(".gitignore", "*.yaml\n");
  EXPECT_FALSE(GitIgnore().ignores(root_ / "a.yaml", false));
}

}  // namespace
}  // namespace windlass::app

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <span>
#include <sstream>

#include "file_replacement.h"
#include "input_files.h"
#include "windlass/base/testing/temporary_folder.h"

namespace windlass::app {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, removed at its end.
class Files : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }

  std::string write(const std::string& name, const std::string& bytes) const {
    return folder_.write(name, bytes);
  }

  static std::string read(const std::string& file) {
    std::istringstream nothing;
    return read_input(file, nothing, 1U << 20U).value();
  }

  Result<FileReplacement> prepare(const std::string& file, const std::string& bytes) {
    return FileReplacement::prepare(file, bytes, FileStamp::of(file), interruption_);
  }

  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(root_), {}));
  }

  const TemporaryFolder folder_;
  const fs::path root_ = folder_.root();
  Interruption interruption_;
};

TEST_F(Files, ADirectoryNamesItsManifestsInAStableOrder) {
  for (const char* name : {"b.yaml", "a.YML", "sub/c.json", "sub/.hidden.yaml", ".git/d.yaml",
                           ".github/workflows/ci.yml", "notes.txt"}) {
    write(name, "x");
  }
  fs::create_directory_symlink(root_, root_ / "loop");
  EXPECT_EQ(files_named_by(root_.native(), false).value(),
            (std::vector{path(".github/workflows/ci.yml"), path("a.YML"), path("b.yaml"),
                         path("sub/c.json")}));
}

TEST_F(Files, AFileIsTakenWhateverItsName) {
  EXPECT_EQ(files_named_by(write("manifest", "x"), false).value(), std::vector{path("manifest")});
  EXPECT_EQ(files_named_by("-", false).value(), std::vector<std::string>{"-"});
}

TEST_F(Files, WhatCannotBeReadIsSaidInOneLineWithAdvice) {
  const auto missing = files_named_by(path("gone.yaml"), false);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().message,
            path("gone.yaml") + ": no such file; check the name and the current directory");
  fs::create_directory(root_ / "empty");
  EXPECT_EQ(files_named_by(path("empty"), false).error().code, ErrorCode::kInvalid);
  std::istringstream nothing;
  EXPECT_EQ(read_input(path("empty"), nothing, 10).error().message,
            path("empty") + ": is a directory, not a file");
  EXPECT_EQ(read_input(write("big.yaml", "12345678901"), nothing, 10).error().code,
            ErrorCode::kInvalid);
}

TEST_F(Files, StandardInputIsReadToItsEnd) {
  std::istringstream input(std::string("a\0b\r\n", 5));
  EXPECT_EQ(read_input("-", input, 10).value(), std::string("a\0b\r\n", 5));
}

TEST_F(Files, ReplacingKeepsPermissionsAndLinksAndLeavesNothingBehind) {
  const std::string file = write("real.yaml", "old");
  ::chmod(file.c_str(), 0640);
  fs::create_symlink("real.yaml", root_ / "link.yaml");
  auto replacement = prepare(path("link.yaml"), "new");
  ASSERT_TRUE(replacement.has_value()) << replacement.error().message;
  EXPECT_EQ(read(file), "old") << "nothing changes before the commit";
  ASSERT_TRUE(FileReplacement::commit_all(std::span(&*replacement, 1), interruption_).has_value());
  EXPECT_EQ(read(file), "new");
  EXPECT_TRUE(fs::is_symlink(root_ / "link.yaml"));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
  EXPECT_EQ(entries(), 2U);
}

TEST_F(Files, AReplacementThatIsNotCommittedLeavesNoTrace) {
  const std::string file = write("a.yaml", "old");
  {
    ASSERT_TRUE(prepare(file, "new").has_value());
  }
  EXPECT_EQ(read(file), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, NothingIsPutInPlaceWhenOneFileWasChangedMeanwhile) {
  std::vector<FileReplacement> prepared;
  for (const char* name : {"a.yaml", "b.yaml"}) {
    prepared.push_back(prepare(write(name, "old"), "new").value());
  }
  write("b.yaml", "from somebody else");
  const auto done = FileReplacement::commit_all(prepared, interruption_);
  EXPECT_EQ(done.error().code, ErrorCode::kConflict);
  EXPECT_TRUE(done.error().message.starts_with(path("b.yaml") + ": somebody else changed it"));
  EXPECT_EQ(read(path("a.yaml")), "old");
  EXPECT_EQ(read(path("b.yaml")), "from somebody else");
}

TEST_F(Files, AFileThatIsNotThereIsMade) {
  auto replacement = prepare(path("new.lock"), "text").value();
  ASSERT_TRUE(FileReplacement::commit_all(std::span(&replacement, 1), interruption_).has_value());
  EXPECT_EQ(read(path("new.lock")), "text");
}

TEST_F(Files, AnInterruptRemovesWhatWasPreparedAndLetsNobodyCommitAnyMore) {
  auto replacement = prepare(write("a.yaml", "old"), "new").value();
  EXPECT_EQ(entries(), 2U);
  EXPECT_TRUE(interruption_.end_quietly());
  EXPECT_EQ(entries(), 1U);
  EXPECT_EQ(FileReplacement::commit_all(std::span(&replacement, 1), interruption_).error().code,
            ErrorCode::kCancelled);
  EXPECT_EQ(read(path("a.yaml")), "old");
}

TEST_F(Files, OtherNamesOfAFileAreNoticed) {
  const std::string file = write("a.yaml", "old");
  EXPECT_FALSE(prepare(file, "new")->has_other_names());
  fs::create_hard_link(file, root_ / "b.yaml");
  EXPECT_TRUE(prepare(file, "new")->has_other_names());
}

TEST_F(Files, WhatCannotBeWrittenIsNamed) {
  const auto replacement = prepare(path("gone/a.yaml"), "new");
  ASSERT_FALSE(replacement.has_value());
  EXPECT_TRUE(
      replacement.error().message.starts_with(path("gone/a.yaml") + ": cannot be written: "));
}

}  // namespace
}  // namespace windlass::app

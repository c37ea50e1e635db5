#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <climits>
#include <filesystem>
#include <set>
#include <span>
#include <sstream>

#include "file_replacement.h"
#include "input_files.h"
#include "windlass/base/testing/temporary_folder.h"
#include "windlass/base/text.h"

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

  Committed commit(std::span<FileReplacement> prepared,
                   FileReplacement::OnFailure on_failure = FileReplacement::OnFailure::kPutBack) {
    return FileReplacement::commit_all(prepared, on_failure, interruption_);
  }

  // A folder whose path is too long for the system: root, too, cannot read it.
  std::string shut_folder(const std::string& below) {
    const std::string name(200, 's');
    const int old = ::open(".", O_RDONLY | O_DIRECTORY);
    std::string folder = path(below);
    EXPECT_EQ(::chdir(folder.c_str()), 0);
    while (folder.size() < PATH_MAX) {
      EXPECT_EQ(::mkdir(name.c_str(), 0755), 0);
      EXPECT_EQ(::chdir(name.c_str()), 0);
      folder += '/' + name;
    }
    EXPECT_EQ(::fchdir(old), 0);
    ::close(old);
    return folder;
  }

  // New contents for a.yaml, b.yaml, c.yaml and new.lock, of which b.yaml's cannot be put in place.
  std::vector<FileReplacement> prepare_with_one_that_fails() {
    std::vector<FileReplacement> prepared;
    for (const char* name : {"new.lock", "a.yaml", "b.yaml", "c.yaml"}) {
      const bool is_new = std::string_view(name) == "new.lock";
      const std::string file = is_new ? path(name) : write(name, "old");
      const std::set<fs::path> before = all_entries();
      prepared.push_back(prepare(file, "new").value());
      for (const fs::path& entry : all_entries()) {
        if (std::string_view(name) == "b.yaml" && !before.contains(entry)) fs::remove(entry);
      }
    }
    return prepared;
  }

  std::set<fs::path> all_entries() const {
    std::set<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(root_)) entries.insert(entry.path());
    return entries;
  }
  std::size_t entries() const { return all_entries().size(); }

  const TemporaryFolder folder_;
  const fs::path root_ = folder_.root();
  Interruption interruption_;
};

TEST_F(Files, ADirectoryNamesItsManifestsInAStableOrder) {
  for (const char* name : {"b.yaml", "a.YML", "sub/c.json", "notes.txt"}) {
    write(name, "x");
  }
  fs::create_directory_symlink(root_, root_ / "loop");
  const FoundFiles found = files_named_by(root_.native(), false);
  EXPECT_EQ(found.files, (std::vector{path("a.YML"), path("b.yaml"), path("sub/c.json")}));
  EXPECT_TRUE(found.errors.empty());
}

TEST_F(Files, WhatIsHiddenIsReadButForJsonAndWhatVersionControlKeeps) {
  for (const char* name :
       {".github/workflows/ci.yml", ".tekton/run.yaml", ".devcontainer/Dockerfile",
        ".devcontainer/devcontainer.json", ".devcontainer/in/settings.json", "sub/.hidden.yaml",
        ".renovaterc.json", ".git/d.yaml", ".hg/d.yaml", ".svn/d.yaml", ".jj/d.yaml"}) {
    write(name, "x");
  }
  EXPECT_EQ(files_named_by(root_.native(), false).files,
            (std::vector{path(".devcontainer/Dockerfile"), path(".github/workflows/ci.yml"),
                         path(".tekton/run.yaml"), path("sub/.hidden.yaml")}));
  EXPECT_EQ(files_named_by(path(".devcontainer/in"), false).files,
            std::vector{path(".devcontainer/in/settings.json")});
}

TEST_F(Files, LinksBelowADirectoryAreNotFollowedAndTheOneThatIsNamedIs) {
  write("outside/a.yaml", "x");
  write("dir/b.yaml", "x");
  fs::create_symlink("../outside/a.yaml", root_ / "dir/a.yaml");
  fs::create_directory_symlink("../outside", root_ / "dir/more");
  fs::create_symlink("nowhere", root_ / "dir/broken.yaml");
  EXPECT_EQ(files_named_by(path("dir"), false).files, std::vector{path("dir/b.yaml")});
  EXPECT_EQ(files_named_by(path("dir/a.yaml"), false).files, std::vector{path("dir/a.yaml")});
  EXPECT_EQ(files_named_by(path("dir/more"), false).files, std::vector{path("dir/more/a.yaml")});
}

TEST_F(Files, AFolderThatCannotBeReadIsNamedAndHidesNoOther) {
  write("dir/a.yaml", "x");
  const std::string shut = shut_folder("dir");
  const FoundFiles found = files_named_by(path("dir"), false);
  EXPECT_EQ(found.files, std::vector{path("dir/a.yaml")});
  ASSERT_EQ(found.errors.size(), 1U);
  EXPECT_TRUE(found.errors[0].message.starts_with(printable(shut) + ": "))
      << found.errors[0].message;
}

TEST_F(Files, AFileIsTakenWhateverItsName) {
  EXPECT_EQ(files_named_by(write("manifest", "x"), false).files, std::vector{path("manifest")});
  EXPECT_EQ(files_named_by("-", false).files, std::vector<std::string>{"-"});
}

TEST_F(Files, WhatCannotBeReadIsSaidInOneLineWithAdvice) {
  const FoundFiles missing = files_named_by(path("gone.yaml"), false);
  ASSERT_EQ(missing.errors.size(), 1U);
  EXPECT_EQ(missing.errors[0].code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.errors[0].message,
            path("gone.yaml") + ": no such file; check the name and the current directory");
  fs::create_directory(root_ / "empty");
  EXPECT_EQ(files_named_by(path("empty"), false).errors.at(0).code, ErrorCode::kInvalid);
  std::istringstream nothing;
  EXPECT_EQ(read_input(path("empty"), nothing, 10).error().message,
            path("empty") + ": is a directory, not a file; name a file");
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
  EXPECT_EQ(commit(std::span(&*replacement, 1)).written, std::vector{path("link.yaml")});
  EXPECT_EQ(read(file), "new");
  EXPECT_TRUE(fs::is_symlink(root_ / "link.yaml"));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
  EXPECT_EQ(entries(), 2U);
}

TEST_F(Files, ReplacingKeepsExtendedAttributesAndAccessControlLists) {
  const std::string file = write("a.yaml", "old");
  // The owner may read and write, user 12345 may read, nobody else anything.
  constexpr std::string_view kList(
      "\x02\0\0\0"
      "\x01\0\x06\0\xff\xff\xff\xff"
      "\x02\0\x04\0\x39\x30\0\0"
      "\x04\0\0\0\xff\xff\xff\xff"
      "\x10\0\x04\0\xff\xff\xff\xff"
      "\x20\0\0\0\xff\xff\xff\xff",
      44);
  if (::setxattr(file.c_str(), "user.note", "mine", 4, 0) != 0 ||
      ::setxattr(file.c_str(), "system.posix_acl_access", kList.data(), kList.size(), 0) != 0) {
    GTEST_SKIP() << "this file system has no extended attributes";
  }
  auto replacement = prepare(file, "new").value();
  EXPECT_TRUE(replacement.lost_attributes().empty());
  commit(std::span(&replacement, 1));
  EXPECT_EQ(read(file), "new");
  std::string value(100, '\0');
  EXPECT_EQ(::getxattr(file.c_str(), "user.note", value.data(), value.size()), 4);
  EXPECT_TRUE(value.starts_with("mine"));
  EXPECT_EQ(::getxattr(file.c_str(), "system.posix_acl_access", value.data(), value.size()), 44);
  EXPECT_TRUE(value.starts_with(kList));
}

TEST_F(Files, ReplacingGivesNoAccessControlListThatWasNotThere) {
  constexpr std::string_view kList(
      "\x02\0\0\0"
      "\x01\0\x06\0\xff\xff\xff\xff"
      "\x02\0\x06\0\x39\x30\0\0"
      "\x04\0\x06\0\xff\xff\xff\xff"
      "\x10\0\x06\0\xff\xff\xff\xff"
      "\x20\0\x06\0\xff\xff\xff\xff",
      44);
  const std::string file = write("dir/a.yaml", "old");
  ::chmod(file.c_str(), 0640);
  if (::setxattr(path("dir").c_str(), "system.posix_acl_default", kList.data(), kList.size(), 0) !=
      0) {
    GTEST_SKIP() << "this file system has no access control lists";
  }
  auto replacement = prepare(file, "new").value();
  commit(std::span(&replacement, 1));
  EXPECT_EQ(::getxattr(file.c_str(), "system.posix_acl_access", nullptr, 0), -1);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
}

TEST_F(Files, ANameMayBeAsLongAsNamesCanBe) {
  std::string name = ".yaml";
  name.insert(0, NAME_MAX - name.size(), 'a');
  const std::string file = write(name, "old");
  auto replacement = prepare(file, "new");
  ASSERT_TRUE(replacement.has_value()) << replacement.error().message;
  commit(std::span(&*replacement, 1));
  EXPECT_EQ(read(file), "new");
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
  const Committed done = commit(prepared);
  ASSERT_EQ(done.errors.size(), 1U);
  EXPECT_EQ(done.errors[0].code, ErrorCode::kConflict);
  EXPECT_TRUE(done.errors[0].message.starts_with(path("b.yaml") + ": somebody else changed it"));
  EXPECT_TRUE(done.written.empty());
  EXPECT_EQ(read(path("a.yaml")), "old");
  EXPECT_EQ(read(path("b.yaml")), "from somebody else");
}

TEST_F(Files, AFileThatCannotBePutInPlaceTakesTheOthersBack) {
  {
    std::vector<FileReplacement> prepared = prepare_with_one_that_fails();
    const Committed done = commit(prepared);
    ASSERT_EQ(done.errors.size(), 1U);
    EXPECT_TRUE(done.errors[0].message.starts_with(path("b.yaml") + ": cannot be written: "));
    EXPECT_TRUE(done.written.empty());
    EXPECT_FALSE(interruption_.has_committed());
  }
  for (const char* name : {"a.yaml", "b.yaml", "c.yaml"}) EXPECT_EQ(read(path(name)), "old");
  EXPECT_EQ(entries(), 3U) << "new.lock is gone again, and no other name is left";
}

TEST_F(Files, AFileThatCannotBePutInPlaceAloneFailsWhenTheOthersAreToGoOn) {
  {
    std::vector<FileReplacement> prepared = prepare_with_one_that_fails();
    const Committed done = commit(prepared, FileReplacement::OnFailure::kKeepGoing);
    EXPECT_EQ(done.errors.size(), 1U);
    EXPECT_EQ(done.written, (std::vector{path("new.lock"), path("a.yaml"), path("c.yaml")}));
    EXPECT_TRUE(interruption_.has_committed());
  }
  EXPECT_EQ(read(path("a.yaml")) + read(path("b.yaml")) + read(path("c.yaml")), "newoldnew");
  EXPECT_EQ(entries(), 4U);
}

TEST_F(Files, AFileThatIsNotThereIsMade) {
  auto replacement = prepare(path("new.lock"), "text").value();
  EXPECT_EQ(commit(std::span(&replacement, 1)).written, std::vector{path("new.lock")});
  EXPECT_EQ(read(path("new.lock")), "text");
}

TEST_F(Files, AnInterruptRemovesWhatWasPreparedAndLetsNobodyCommitAnyMore) {
  auto replacement = prepare(write("a.yaml", "old"), "new").value();
  EXPECT_EQ(entries(), 2U);
  EXPECT_TRUE(interruption_.end_quietly());
  EXPECT_EQ(entries(), 1U);
  EXPECT_EQ(commit(std::span(&replacement, 1)).errors.at(0).code, ErrorCode::kCancelled);
  EXPECT_EQ(read(path("a.yaml")), "old");
}

TEST_F(Files, OtherNamesOfAFileAreNoticed) {
  const std::string file = write("a.yaml", "old");
  EXPECT_EQ(prepare(file, "new")->names(), 1U);
  fs::create_hard_link(file, root_ / "b.yaml");
  EXPECT_EQ(prepare(file, "new")->names(), 2U);
}

TEST_F(Files, WhatCannotBeWrittenIsNamed) {
  const auto replacement = prepare(path("gone/a.yaml"), "new");
  ASSERT_FALSE(replacement.has_value());
  EXPECT_TRUE(
      replacement.error().message.starts_with(path("gone/a.yaml") + ": cannot be written: "));
}

}  // namespace
}  // namespace windlass::app

#include "windlass/registries_conf/load.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::registries_conf {
namespace {

namespace fs = std::filesystem;

class Load : public testing::Test {
 protected:
  Load() { fs::create_directory(path("d")); }

  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string put(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }

  const TemporaryFolder folder_;
};

std::string searched(const std::string& host) {
  return "unqualified-search-registries=['" + host + "']\n";
}

TEST_F(Load, DropInsFollowTheFileInTheOrderOfTheirNames) {
  const Paths paths{.file = put("main.conf", searched("main.test")), .folders = {path("d")}};
  EXPECT_EQ(load(paths).registries.searched().front(), "main.test");
  put("d/20.conf", searched("twenty.test"));
  put("d/10.conf", searched("ten.test"));
  put("d/30.txt", searched("text.test"));
  const Loaded loaded = load(paths);
  EXPECT_EQ(loaded.registries.searched().front(), "twenty.test");
  EXPECT_TRUE(loaded.problems.empty());
}

TEST_F(Load, ABrokenDropInDoesNotHideTheOthers) {
  put("d/10.conf", "broken = [\n");
  put("d/20.conf", searched("kept.test"));
  const Loaded loaded = load({.folders = {path("d")}});
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_TRUE(loaded.problems[0].message.starts_with(path("d/10.conf") + ":"))
      << loaded.problems[0].message;
  EXPECT_EQ(loaded.registries.searched().front(), "kept.test");
}

TEST_F(Load, OnlyANamedFileHasToBeThere) {
  EXPECT_TRUE(load({.file = path("none"), .folders = {path("none.d")}}).problems.empty());
  const Loaded loaded = load({.file = path("none"), .file_must_exist = true});
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_NE(loaded.problems[0].message.find(path("none") + ": cannot be read"), std::string::npos);
}

TEST_F(Load, WhatIsNoFileOrTooLongIsNotRead) {
  ASSERT_EQ(mkfifo(path("d/10.conf").c_str(), 0600), 0);
  put("d/20.conf", std::string((1U << 20U) + 1, '#'));
  const Loaded loaded = load({.folders = {path("d")}});
  ASSERT_EQ(loaded.problems.size(), 2U);
  EXPECT_NE(loaded.problems[0].message.find("not a regular file"), std::string::npos);
  EXPECT_NE(loaded.problems[1].message.find("longer than"), std::string::npos);
}

TEST_F(Load, TheUsersFileTakesThePlaceOfTheSystems) {
  const std::string system = "/etc/containers/registries.conf";
  EXPECT_EQ(usual_paths("", "").file, system);
  EXPECT_EQ(usual_paths(path("home"), "").file, system);
  fs::create_directories(path("home/containers"));
  const std::string own = put("home/containers/registries.conf", "");
  const Paths paths = usual_paths(path("home"), "");
  EXPECT_EQ(paths.file, own);
  EXPECT_FALSE(paths.file_must_exist);
  EXPECT_EQ(paths.folders, (std::vector<std::string>{system + ".d", own + ".d"}));
  EXPECT_EQ(usual_paths(path("home"), "/x.conf").file, "/x.conf");
  EXPECT_TRUE(usual_paths(path("home"), "/x.conf").file_must_exist);
}

}  // namespace
}  // namespace windlass::registries_conf

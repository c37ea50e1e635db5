// What is told of files that are not as they should be, and what is kept of them.
#include <gtest/gtest.h>

#include "windlass/registries_conf/load.h"

namespace windlass::registries_conf {
namespace {

TEST(Read, ProblemsNameFileLineAndKeyAndLeaveTheRest) {
  struct Row {
    std::string_view text;
    std::string_view problem;
  };
  const Row table[] = {
      {"unqualified-search-registries = 7",
       "f:1:33: unqualified-search-registries: expected a "
       "list of hosts"},
      {"unqualified-search-registries = [7]",
       "f:1:34: unqualified-search-registries: expected a "
       "registry's host"},
      {"[[registry]]\nblocked = true", "f:1:1: registry: it has neither prefix nor location"},
      {"[[registry]]\nlocation = 'https://a.test'",
       "f:2:12: location: expected HOST[:PORT][/PATH], without a scheme"},
      {"[[registry]]\nlocation = 'a b.test'",
       "f:2:12: location: expected HOST[:PORT][/PATH], without a scheme"},
      {"[[registry]]\nlocation = 'a.test'\nblokced = true",
       "f:3:11: blokced: no such key is known in [[registry]]"},
      {"[[registry]]\nlocation = 'a.test'\ninsecure = 1",
       "f:3:12: insecure: expected true or false"},
      {"[[registry]]\nprefix = 'a.test'\nlocation = '*.b.test'",
       "f:1:1: location: a location is one host"},
      {"[[registry]]\nlocation = 'a.test'\n[[registry.mirror]]\ninsecure = true",
       "f:3:1: mirror: it is left out, for it has no usable location"},
      {"[[registry]]\nlocation='a.test'\n[[registry.mirror]]\nlocation='m.test'\n"
       "pull-from-mirror='some'",
       "f:5:18: pull-from-mirror: expected all, digest-only or tag-only; the mirror is left out"},
      {"[[registry]]\nlocation='a.test'\n[[registry.mirror]]\nlocation='m.test'\ninsecure=1",
       "f:5:10: insecure: expected true or false; the mirror is left out"},
      {"[registries.search]\nregistries = ['a.test']",
       "f:1:1: registries: this is version 1 of the format, which is not read; see [[registry]]"},
      {"[aliases]\na = 7", "f:2:5: a: expected the full name of a repository, or \"\""},
      {"[aliases]\na = 'UPPER/'", "f:2:5: a: expected the full name of a repository, or \"\""},
      {"unknown = 1", "f:1:11: unknown: no such key is known"},
  };
  for (const Row& row : table) {
    Loaded loaded;
    read(std::string(row.text) + "\n[[registry]]\nlocation = 'kept.test'\n", "f", loaded);
    ASSERT_EQ(loaded.problems.size(), 1U) << row.text;
    EXPECT_EQ(loaded.problems[0].message, row.problem);
    EXPECT_EQ(loaded.problems[0].code, ErrorCode::kInvalid);
  }
}

TEST(Read, ARegistryHasToBeATable) {
  for (const std::string_view text : {"registry = 7", "registry = [7]"}) {
    Loaded loaded;
    read(text, "f", loaded);
    ASSERT_EQ(loaded.problems.size(), 1U);
    EXPECT_NE(loaded.problems[0].message.find("registry: expected [[registry]]"),
              std::string::npos);
  }
}

TEST(Read, ABrokenFileSaysWhereItBreaks) {
  for (const std::string_view text : {"a = \n", "[[registry]\n", "x", "\xff = 1", "a = 'b"}) {
    Loaded loaded;
    read(text, "f\x1b", loaded);
    ASSERT_EQ(loaded.problems.size(), 1U) << text;
    const std::string& message = loaded.problems[0].message;
    EXPECT_TRUE(message.starts_with("f\\x1b:1:")) << message;
    EXPECT_EQ(message.find_first_of("\x1b\n"), std::string::npos) << message;
  }
}

TEST(Read, WhatTheParserTakesForGrantedMayBeMissing) {
  Loaded loaded;
  read("[)a]\n", "f", loaded);
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_EQ(loaded.problems[0].message, "f: the file is not read: it is not TOML");
}

TEST(Read, OtherLettersMayStandInCommentsOnly) {
  Loaded loaded;
  read(
      "# \u00fcber \ufedf\n[[registry]]\nlocation='a.test'\n[[registry]]\nlocation='\u00e4.test'\n",
      "f", loaded);
  ASSERT_EQ(loaded.problems.size(), 1U);
  EXPECT_EQ(loaded.problems[0].message,
            "f:5:10: location: expected HOST[:PORT][/PATH], without a scheme");
  EXPECT_EQ(loaded.registries.registries().size(), 1U);
}

TEST(Read, WhatPodmanKnowsAndWeDoNotNeedIsNoProblem) {
  Loaded loaded;
  read(R"(unqualified-search-registries = ["docker.io", "Quay.test/"]
short-name-mode = "enforcing"
credential-helpers = ["containers-auth.json"]
[[registry]]
prefix = "Registry.Test/Team"
location = "registry.test/team/"
[aliases]
"fedora" = "registry.fedora.test/fedora"
"team/app" = "registry.test/team/app"
)",
       "f", loaded);
  for (const Error& problem : loaded.problems) ADD_FAILURE() << problem.message;
  EXPECT_EQ(loaded.registries.searched(), (std::vector<std::string>{"docker.io", "quay.test"}));
  EXPECT_EQ(loaded.registries.aliases().size(), 2U);
  ASSERT_EQ(loaded.registries.registries().size(), 1U);
  EXPECT_EQ(loaded.registries.registries()[0].prefix, "registry.test/Team");
}

TEST(Read, HelpersKeepTheirOrderAndALaterListTakesTheirPlace) {
  Loaded loaded;
  read("credential-helpers = ['secretservice', 'containers-auth.json']", "f", loaded);
  EXPECT_TRUE(loaded.problems.empty());
  ASSERT_EQ(loaded.credential_helpers.size(), 2U);
  EXPECT_EQ(loaded.credential_helpers[0].name, "secretservice");
  EXPECT_EQ(loaded.credential_helpers[0].place, "f:1:23");
  EXPECT_EQ(loaded.credential_helpers[1].name, kFilesOfLogins);
  read("short-name-mode = 'disabled'", "g", loaded);
  EXPECT_EQ(loaded.credential_helpers.size(), 2U);
  read("credential-helpers = ['pass']", "h", loaded);
  ASSERT_EQ(loaded.credential_helpers.size(), 1U);
  EXPECT_EQ(loaded.credential_helpers[0].place, "h:1:23");
  read("credential-helpers = []", "i", loaded);
  EXPECT_TRUE(loaded.credential_helpers.empty());
}

TEST(Read, ABadHelperIsToldAndHidesNoOther) {
  Loaded loaded;
  read("credential-helpers = ['../x', 1, '', 'pass']", "f", loaded);
  EXPECT_EQ(loaded.problems.size(), 3U);
  ASSERT_EQ(loaded.credential_helpers.size(), 1U);
  EXPECT_EQ(loaded.credential_helpers[0].name, "pass");
}

TEST(Read, FaultsOfWhatIsNoRegistryAreTold) {
  for (const auto& [text, says] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"credential-helpers = ['containers-auth.json', 'a b']",
            "f:1:47: credential-helpers: expected containers-auth.json, or NAME"},
           {"credential-helpers = 'x'", "f:1:22: credential-helpers: expected a list"},
           {"short-name-mode = 'strict'", "f:1:19: short-name-mode: expected enforcing,"},
           {"short-name-mode = 1", "f:1:19: short-name-mode: expected enforcing,"}}) {
    Loaded loaded;
    read(text, "f", loaded);
    ASSERT_EQ(loaded.problems.size(), 1U) << text;
    EXPECT_TRUE(loaded.problems[0].message.starts_with(says)) << loaded.problems[0].message;
  }
}

TEST(Read, LaterFilesTakeThePlaceOfEarlierOnes) {
  Loaded loaded;
  read(
      "unqualified-search-registries=['a.test']\n[[registry]]\nlocation='a.test'\nblocked=true\n"
      "[aliases]\nx='a.test/x'\ny='a.test/y'",
      "1", loaded);
  read(
      "unqualified-search-registries=['b.test']\n[[registry]]\nprefix='a.test'\n"
      "[aliases]\nx='b.test/x'\ny=''",
      "2", loaded);
  for (const Error& problem : loaded.problems) ADD_FAILURE() << problem.message;
  EXPECT_EQ(loaded.registries.searched(), std::vector<std::string>{"b.test"});
  ASSERT_EQ(loaded.registries.registries().size(), 1U);
  EXPECT_FALSE(loaded.registries.registries()[0].blocked);
  EXPECT_EQ(loaded.registries.aliases(), (std::map<std::string, std::string>{{"x", "b.test/x"}}));
}

}  // namespace
}  // namespace windlass::registries_conf

// Real programs, written by the test; the answers of the clock are the test's.
#include "windlass/credentials/plugin_keychain.h"

#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <latch>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::credentials {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

class PluginKeychainTest : public testing::Test {
 protected:
  // A plugin that notes its input, then does what `script` says.
  void write(const std::string& name, const std::string& script) const {
    const std::string path = folder_.path(name);
    std::ofstream(path) << "#!/bin/sh\ncat >>" << path << ".log; echo >>" << path << ".log\n"
                        << script;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  static std::string answer(const std::string& key_type, const std::string& rest) {
    return "cat <<'END'\n{\"kind\":\"CredentialProviderResponse\",\"apiVersion\":"
           "\"credentialprovider.kubelet.k8s.io/v1\",\"cacheKeyType\":\"" +
           key_type + "\"," + rest + "}\nEND\n";
  }
  static std::string login(const std::string& key, const std::string& user) {
    return "\"auth\":{\"" + key + "\":{\"username\":\"" + user + "\",\"password\":\"s3cret\"}}";
  }

  int runs(const std::string& name) const {
    std::ifstream log(folder_.path(name + ".log"));
    return static_cast<int>(std::count(std::istreambuf_iterator<char>(log), {}, '\n'));
  }

  std::unique_ptr<PluginKeychain> keychain(const std::vector<std::string>& names,
                                           Duration fresh = {}, Duration keep = minutes(5)) const {
    std::vector<CredentialProvider> providers;
    for (const std::string& name : names) {
      providers.push_back({.name = name,
                           .match_images = {*ImagePattern::parse("*.test")},
                           .default_cache_duration = keep,
                           .api_version = "credentialprovider.kubelet.k8s.io/v1",
                           .arguments = {"an argument"},
                           .environment = {{"WINDLASS_USER", "from-env"}}});
    }
    return std::make_unique<PluginKeychain>(
        system_clock(), std::move(providers),
        PluginOptions{.folder = folder_.root(), .timeout = milliseconds(500), .fresh = fresh});
  }

  static std::string find(PluginKeychain& keychain, std::string_view image) {
    std::promise<Found> promise;
    auto answered = promise.get_future();
    keychain.find(*image::ImageReference::parse(image), {},
                  [&](Found found) { promise.set_value(std::move(found)); });
    const Found found = answered.get();
    std::string all;
    for (const Credential& candidate : found.candidates) all += candidate.user() + ";";
    for (const Error& problem : found.problems) {
      EXPECT_EQ(problem.message.find("canary"), std::string::npos) << problem.message;
      all += "(" + problem.message + ")";
    }
    return all;
  }

  const TemporaryFolder folder_;
};

TEST_F(PluginKeychainTest, ThePluginIsToldTheImageAndGivesALogin) {
  write("p",
        "test \"$1\" = 'an argument' || exit 1\nexport U=$WINDLASS_USER\n"
        "printf '{\"kind\":\"CredentialProviderResponse\",\"apiVersion\":"
        "\"credentialprovider.kubelet.k8s.io/v1\",\"cacheKeyType\":\"Image\",\"auth\":"
        "{\"a.test\":{\"username\":\"%s\",\"password\":\"x\"}}}' $U\n");
  const auto plugins = keychain({"p"});
  EXPECT_EQ(find(*plugins, "a.test/team/app:v1"), "from-env;");
  std::ifstream log(folder_.path("p.log"));
  std::string line;
  std::getline(log, line);
  EXPECT_EQ(line,
            R"({"kind":"CredentialProviderRequest",)"
            R"("apiVersion":"credentialprovider.kubelet.k8s.io/v1","image":"a.test/team/app"})");
  EXPECT_EQ(find(*plugins, "other.example/app"), "");
  EXPECT_EQ(runs("p"), 1);
}

TEST_F(PluginKeychainTest, AnAnswerIsKeptForWhatItSays) {
  for (const auto& [type, runs_of_four] : {std::pair{"Image", 3}, {"Registry", 2}, {"Global", 1}}) {
    const std::string name = type;
    write(name, answer(type, login("*.test", "u")));
    const auto plugins = keychain({name});
    for (const char* image : {"a.test/app", "a.test/app:v2", "a.test/other", "b.test/app"})
      EXPECT_EQ(find(*plugins, image), "u;");
    EXPECT_EQ(runs(name), runs_of_four) << name;
  }
}

TEST_F(PluginKeychainTest, ADurationOfZeroKeepsNothing) {
  write("zero", answer("Global", "\"cacheDuration\":\"0s\"," + login("a.test", "u")));
  write("default", answer("Global", login("a.test", "u")));
  for (const char* name : {"zero", "default"}) {
    const auto plugins = keychain({name}, {}, {});
    find(*plugins, "a.test/app");
    find(*plugins, "a.test/app");
    EXPECT_EQ(runs(name), 2) << name;
  }
}

TEST_F(PluginKeychainTest, AllThatFitAreAskedAndTheirLoginsMerged) {
  write("one", answer("Image", login("a.test", "one")));
  write("two", answer("Image", login("a.test/team", "two")));
  write("three", answer("Image", login("a.test", "three")));
  EXPECT_EQ(find(*keychain({"one", "two", "three"}), "a.test/team/app"), "two;one;three;");
}

TEST_F(PluginKeychainTest, OneThatFailsKeepsNoOtherFromBeingAsked) {
  write("bad", "echo canary; echo canary >&2; exit 3\n");
  write("junk", "echo canary\n");
  write("big", "head -c 1000000000 /dev/zero\n");
  write("killed", "kill -9 $$\n");
  write("hang", "sleep 1000\n");
  write("good", answer("Image", login("a.test", "good")));
  const std::string found =
      find(*keychain({"bad", "junk", "big", "killed", "hang", "none", "good"}), "a.test/app");
  EXPECT_TRUE(found.starts_with("good;")) << found;
  for (const char* says :
       {"provider bad: it ended with status 3", "provider junk: its answer is not JSON",
        "provider big: it says more than 65536 bytes", "provider killed: it ended with status 137",
        "provider hang: it took longer than 500 ms", "provider none: there is no such program in"})
    EXPECT_NE(found.find(says), std::string::npos) << found;
}

TEST_F(PluginKeychainTest, AnErrorIsKeptForAShortTime) {
  write("bad", "exit 3\n");
  const auto plugins = keychain({"bad"}, minutes(1));
  find(*plugins, "a.test/app");
  find(*plugins, "a.test/app");
  plugins->refresh(*image::ImageReference::parse("a.test/app"));  // too fresh
  find(*plugins, "a.test/app");
  EXPECT_EQ(runs("bad"), 1);
}

TEST_F(PluginKeychainTest, RefreshAsksAgain) {
  write("p", answer("Global", login("a.test", "u")));
  const auto plugins = keychain({"p"});
  find(*plugins, "a.test/app");
  plugins->refresh(*image::ImageReference::parse("a.test/app"));
  find(*plugins, "a.test/app");
  EXPECT_EQ(runs("p"), 2);
}

TEST_F(PluginKeychainTest, OneRunForAllWhoAskTheSame) {
  write("p", "sleep 0.05\n" + answer("Image", login("a.test", "u")));
  const auto plugins = keychain({"p"});
  constexpr int kAskers = 50;
  std::latch answered(kAskers);
  for (int i = 0; i < kAskers; ++i) {
    plugins->find(*image::ImageReference::parse("a.test/app"), {},
                  [&](const Found&) { answered.count_down(); });
  }
  answered.wait();
  EXPECT_EQ(runs("p"), 1);
}

TEST_F(PluginKeychainTest, DestructionKillsWhatRunsAndAnswersAll) {
  write("hang", "sleep 1000\n");
  int answers = 0;
  {
    PluginKeychain plugins(system_clock(),
                           {{.name = "hang",
                             .match_images = {*ImagePattern::parse("*.test")},
                             .default_cache_duration = {},
                             .api_version = "credentialprovider.kubelet.k8s.io/v1",
                             .arguments = {},
                             .environment = {}}},
                           {.folder = folder_.root(), .programs_max = 1});
    for (const char* image : {"a.test/1", "a.test/2", "a.test/3"}) {
      plugins.find(*image::ImageReference::parse(image), {}, [&](const Found& found) {
        EXPECT_EQ(found.problems.size(), 1U);
        ++answers;
      });
    }
  }
  EXPECT_EQ(answers, 3);
}

}  // namespace
}  // namespace windlass::credentials

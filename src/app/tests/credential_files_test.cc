#include "credential_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <thread>

#include "windlass/base/testing/temporary_folder.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::app {
namespace {

Environment environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

credentials::Found find(credentials::Keychain& keychain, const std::string& image) {
  std::promise<credentials::Found> promise;
  auto found = promise.get_future();
  keychain.find(*image::ImageReference::parse(image), {},
                [&](credentials::Found logins) { promise.set_value(std::move(logins)); });
  return found.get();
}

std::vector<std::string> users(credentials::Keychain& keychain, const std::string& image) {
  std::vector<std::string> all;
  for (const auto& login : find(keychain, image).candidates) all.push_back(login.user());
  return all;
}

TEST(CredentialFiles, EachPlaceIsReadInTheDocumentedOrder) {
  using Files = std::vector<std::string>;
  const std::map<std::string, std::string> everything = {{"HOME", "/h"},
                                                         {"DOCKER_CONFIG", "/d"},
                                                         {"REGISTRY_AUTH_FILE", "/r.json"},
                                                         {"XDG_RUNTIME_DIR", "/run"},
                                                         {"XDG_CONFIG_HOME", "/c"}};
  EXPECT_EQ(credential_files("/flag.json", environment(everything)), Files{"/flag.json"});
  EXPECT_EQ(credential_files("", environment(everything)), (Files{"/r.json", "/d/config.json"}));
  EXPECT_EQ(credential_files("", environment({{"HOME", "/h"}})),
            (Files{"/h/.docker/config.json", "/h/.config/containers/auth.json"}));
  EXPECT_EQ(credential_files("", environment({{"HOME", "/h"}, {"DOCKER_CONFIG", "/d"}})),
            (Files{"/d/config.json", "/h/.config/containers/auth.json"}));
  EXPECT_EQ(
      credential_files("", environment({{"XDG_RUNTIME_DIR", "/run"}, {"XDG_CONFIG_HOME", "/c"}})),
      (Files{"/run/containers/auth.json", "/c/containers/auth.json"}));
  EXPECT_EQ(credential_files("", environment({})), Files{});
  // One that is named twice is told once.
  EXPECT_EQ(credential_files("", environment({{"REGISTRY_AUTH_FILE", "/d/config.json"},
                                              {"DOCKER_CONFIG", "/d"}})),
            Files{"/d/config.json"});
}

TEST(CredentialFiles, AFileThatWasNamedHasToExist) {
  const auto keychain = keychain_of_user("/nowhere/auth.json", {}, environment({}), system_clock(),
                                         telemetry::null_logger());
  ASSERT_FALSE(keychain.has_value());
  EXPECT_EQ(keychain.error().message,
            "--authfile /nowhere/auth.json: no such file; check the name");
  const auto folder =
      keychain_of_user("/", {}, environment({}), system_clock(), telemetry::null_logger());
  EXPECT_EQ(folder.error().message, "--authfile /: is not a file; check the name");
  EXPECT_TRUE(keychain_of_user("", {}, environment({{"HOME", "/nowhere"}}), system_clock(),
                               telemetry::null_logger())
                  .has_value());
}

TEST(CredentialFiles, AnAuthfileThatIsNotJsonIsToldWithWhatToDo) {
  const TemporaryFolder folder;
  folder.write("config.json", "{");
  const std::string file = folder.path("config.json");
  const auto keychain =
      keychain_of_user(file, {}, environment({}), system_clock(), telemetry::null_logger());
  ASSERT_FALSE(keychain.has_value());
  EXPECT_EQ(keychain.error().message,
            "--authfile: " + file +
                ":1:2: not valid JSON: it ends too early; mend that, or name another file with "
                "--authfile");
  EXPECT_EQ(check_authfile(file).error().message, keychain.error().message);
}

TEST(CredentialFiles, AFileThatCannotBeReadIsToldOnceAndHidesNoOther) {
  const TemporaryFolder folder;
  folder.write("docker/config.json", "{\n[");
  folder.write("podman/auth.json/a-file", "which makes a folder of it");
  folder.write("home/containers/auth.json", R"({"auths": {"a.test": {"auth": "YWxpY2U6cHc="}}})");
  telemetry::RecordingLogger logger;
  const std::string docker = folder.path("docker/config.json") + ":2:1: not valid JSON: ";
  {
    const auto keychain = keychain_of_user("", {},
                                           environment({{"DOCKER_CONFIG", folder.path("docker")},
                                                        {"XDG_CONFIG_HOME", folder.path("home")}}),
                                           system_clock(), logger);
    ASSERT_TRUE(keychain.has_value()) << keychain.error().message;
    EXPECT_EQ(users(**keychain, "a.test/app"), std::vector<std::string>{"alice"});
    const credentials::Found found = find(**keychain, "b.test/app");
    ASSERT_EQ(found.problems.size(), 1U);
    EXPECT_TRUE(found.problems[0].message.starts_with(docker)) << found.problems[0].message;
    EXPECT_TRUE(
        found.problems[0].message.ends_with("; mend that, or name another file with --authfile"));
  }
  const auto by_variable = keychain_of_user(
      "", {}, environment({{"REGISTRY_AUTH_FILE", folder.path("podman/auth.json")}}),
      system_clock(), logger);
  ASSERT_TRUE(by_variable.has_value());
  ASSERT_EQ(logger.lines().size(), 2U);
  EXPECT_TRUE(logger.holds(docker));
  EXPECT_TRUE(logger.holds("$REGISTRY_AUTH_FILE: " + folder.path("podman/auth.json") +
                           ": cannot read it: it is not a regular file"));
}

TEST(CredentialFiles, APipeThatWasNamedIsRead) {
  const TemporaryFolder folder;
  const std::string pipe = folder.path("pipe");
  for (const bool by_option : {true, false}) {
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const std::jthread writer(
        [&] { std::ofstream(pipe) << R"({"auths": {"a.test": {"auth": "YWxpY2U6cHc="}}})"; });
    const auto keychain =
        by_option
            ? keychain_of_user(pipe, {}, environment({}), system_clock(), telemetry::null_logger())
            : keychain_of_user("", {}, environment({{"REGISTRY_AUTH_FILE", pipe}}), system_clock(),
                               telemetry::null_logger());
    ASSERT_TRUE(keychain.has_value()) << keychain.error().message;
    EXPECT_EQ(users(**keychain, "a.test/app"), std::vector<std::string>{"alice"});
    std::filesystem::remove(pipe);
  }
}

// Real programs, in a folder that comes first in PATH; they note what they are asked for.
class HelpersOfRegistriesConf : public testing::Test {
 protected:
  using Users = std::vector<std::string>;
  using Names = std::vector<std::string>;

  HelpersOfRegistriesConf() {
    setenv("PATH", (folder_.root() + ":/usr/bin:/bin").c_str(), 1);
    folder_.write("auth.json", R"({"auths": {"a.test": {"auth": "YWxpY2U6cHc="},
                                             "b.test": {"auth": "YWxpY2U6cHc="}}})");
    write("robots",
          "case $key in a.test|docker.io) printf '{\"Username\":\"robot\",\"Secret\":\"s\"}';; "
          "*) echo 'credentials not found in native keychain'; exit 1;; esac");
    write("broken", "exit 9");
  }

  void write(const std::string& name, const std::string& script) {
    const std::string path = folder_.path("docker-credential-" + name);
    std::ofstream(path) << "#!/bin/sh\nread -r key\necho \"$key\" >>" << path << ".log\n"
                        << script << '\n';
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  std::string log_of(const std::string& name) const {
    std::ifstream file(folder_.path("docker-credential-" + name + ".log"));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::shared_ptr<credentials::Keychain> keychain(const Names& names,
                                                  const std::string& authfile = "") const {
    std::vector<registries_conf::CredentialHelper> helpers;
    for (const std::string& name : names) helpers.push_back({.name = name, .place = "f:1:2"});
    auto made = keychain_of_user(authfile, helpers,
                                 environment({{"REGISTRY_AUTH_FILE", folder_.path("auth.json")}}),
                                 system_clock(), telemetry::null_logger());
    return made ? *std::move(made) : nullptr;
  }

  const TemporaryFolder folder_;
};

TEST_F(HelpersOfRegistriesConf, AreAskedInTheirOrderUntilOneHasALogin) {
  EXPECT_EQ(users(*keychain({"robots", "containers-auth.json"}), "a.test/app"), Users{"robot"});
  EXPECT_EQ(log_of("robots"), "a.test\n");
  EXPECT_EQ(users(*keychain({"containers-auth.json", "robots"}), "a.test/app"), Users{"alice"});
  EXPECT_EQ(log_of("robots"), "a.test\n");
  EXPECT_EQ(users(*keychain({"containers-auth.json", "robots"}), "nginx"), Users{"robot"});
  EXPECT_EQ(log_of("robots"), "a.test\ndocker.io\n");
}

TEST_F(HelpersOfRegistriesConf, TheFilesAreLeftOutOfAListThatDoesNotNameThem) {
  EXPECT_EQ(users(*keychain({"robots"}), "b.test/app"), Users{});
  EXPECT_EQ(users(*keychain({}), "a.test/app"), Users{"alice"});
  EXPECT_EQ(users(*keychain({"robots"}, folder_.path("auth.json")), "a.test/app"), Users{"alice"});
}

TEST_F(HelpersOfRegistriesConf, OneThatFailsIsToldAndTheNextIsAsked) {
  const auto found = find(*keychain({"broken", "gone", "containers-auth.json"}), "a.test/app");
  ASSERT_EQ(found.candidates.size(), 1U);
  ASSERT_EQ(found.problems.size(), 2U);
  EXPECT_TRUE(found.problems[0].message.starts_with(
      "f:1:2: credential-helpers: docker-credential-broken get for a.test: "))
      << found.problems[0].message;
}

}  // namespace
}  // namespace windlass::app

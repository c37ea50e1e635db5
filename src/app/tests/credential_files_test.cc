#include "credential_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::app {
namespace {

Environment environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
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
}

TEST(CredentialFiles, AFileThatWasNamedHasToExist) {
  const auto keychain = keychain_of_user("/nowhere/auth.json", environment({}), system_clock(),
                                         telemetry::null_logger());
  ASSERT_FALSE(keychain.has_value());
  EXPECT_EQ(keychain.error().message,
            "--authfile /nowhere/auth.json: no such file; check the name");
  const auto folder =
      keychain_of_user("/", environment({}), system_clock(), telemetry::null_logger());
  EXPECT_EQ(folder.error().message, "--authfile /: is not a file; check the name");
  EXPECT_TRUE(keychain_of_user("", environment({{"HOME", "/nowhere"}}), system_clock(),
                               telemetry::null_logger())
                  .has_value());
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
            ? keychain_of_user(pipe, environment({}), system_clock(), telemetry::null_logger())
            : keychain_of_user("", environment({{"REGISTRY_AUTH_FILE", pipe}}), system_clock(),
                               telemetry::null_logger());
    ASSERT_TRUE(keychain.has_value()) << keychain.error().message;
    std::vector<std::string> found;
    (*keychain)->find(*image::ImageReference::parse("a.test/app"), {},
                      [&](const credentials::Found& logins) {
                        for (const auto& login : logins.candidates) found.push_back(login.user());
                      });
    EXPECT_EQ(found, std::vector<std::string>{"alice"});
    std::filesystem::remove(pipe);
  }
}

}  // namespace
}  // namespace windlass::app

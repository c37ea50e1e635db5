// Real programs, written by the test into a folder that comes first in PATH.
#include "windlass/credentials/credential_helpers.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <latch>
#include <optional>

#include "windlass/base/testing/temporary_folder.h"
#include "windlass/credentials/file_keychain.h"

namespace windlass::credentials {
namespace {

class CredentialHelpersTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_.emplace();
    setenv("PATH", (folder_->root() + ":/usr/bin:/bin").c_str(), 1);
  }
  static void TearDownTestSuite() { folder_.reset(); }

  // A program that notes its arguments and input, then does what `script` says.
  static void write(const std::string& name, const std::string& script) {
    const std::string path = folder_->path("docker-credential-" + name);
    std::ofstream(path) << "#!/bin/sh\nprintf '%s<' \"$@\" >>" << path << ".log\ncat >>" << path
                        << ".log\necho '>' >>" << path << ".log\n"
                        << script;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  static std::string log_of(const std::string& name) {
    std::ifstream file(folder_->path("docker-credential-" + name + ".log"));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static CredentialHelpers::Answer get(CredentialHelpers& helpers, const std::string& helper,
                                       const std::string& key = "registry.test:5000") {
    std::promise<CredentialHelpers::Answer> promise;
    auto answer = promise.get_future();
    helpers.get(helper, key, [&](CredentialHelpers::Answer a) { promise.set_value(std::move(a)); });
    return answer.get();
  }

  static inline std::optional<TemporaryFolder> folder_;
};

const std::string kGood = "printf '{\"Username\":\"robot$ci\",\"Secret\":\"p:a:ss\"}'\n";

TEST_F(CredentialHelpersTest, TheProgramGetsTheKeyAndNothingElse) {
  write("good", kGood);
  CredentialHelpers helpers(system_clock());
  const auto answer = get(helpers, "good");
  ASSERT_TRUE(answer && *answer) << answer.error().message;
  EXPECT_EQ((*answer)->user(), "robot$ci");
  EXPECT_EQ((*answer)->secret().reveal(), "p:a:ss");
  EXPECT_EQ(log_of("good"), "get<registry.test:5000>\n");
}

TEST_F(CredentialHelpersTest, AnAnswerIsSharedAndKept) {
  write("once", "sleep 0.05\n" + kGood);
  CredentialHelpers helpers(system_clock());
  constexpr int kAskers = 50;
  std::latch answered(kAskers);
  for (int i = 0; i < kAskers; ++i) {
    helpers.get("once", "registry.test",
                [&](const CredentialHelpers::Answer&) { answered.count_down(); });
  }
  answered.wait();
  EXPECT_TRUE(get(helpers, "once", "registry.test").has_value());
  EXPECT_EQ(log_of("once"), "get<registry.test>\n");
  EXPECT_TRUE(get(helpers, "once", "other.test").has_value());
  EXPECT_EQ(log_of("once"), "get<registry.test>\nget<other.test>\n");
}

TEST_F(CredentialHelpersTest, AnAnswerIsKeptNoLongerThanItsTime) {
  write("again", kGood);
  CredentialHelpers helpers(system_clock(), {.keep = Duration::zero()});
  EXPECT_TRUE(get(helpers, "again").has_value());
  EXPECT_TRUE(get(helpers, "again").has_value());
  EXPECT_EQ(log_of("again"), "get<registry.test:5000>\nget<registry.test:5000>\n");
}

TEST_F(CredentialHelpersTest, ProgramsThatFailAreNamedAndTheirOutputIsNot) {
  write("bad", "echo canary; echo canary >&2; exit 3\n");
  write("deaf", "exec 0<&-; exit 1\n");
  write("big", "head -c 1000000 /dev/zero\n");
  write("killed", "kill -9 $$\n");
  CredentialHelpers helpers(system_clock());
  const std::pair<std::string, std::string_view> table[] = {
      {"bad", "status 3"},      {"deaf", "status 1"},           {"big", "more than 65536 bytes"},
      {"killed", "status 137"}, {"none", "no such program in"}, {"a b", "cannot be"},
      {"../bad", "cannot be"}};
  for (const auto& [name, says] : table) {
    const auto answer = get(helpers, name);
    ASSERT_FALSE(answer.has_value()) << name;
    EXPECT_NE(answer.error().message.find(says), std::string::npos) << answer.error().message;
    EXPECT_EQ(answer.error().message.find("canary"), std::string::npos);
  }
}

TEST_F(CredentialHelpersTest, OneThatHangsIsKilledInTime) {
  write("hang", "exec sleep 1000\n");
  CredentialHelpers helpers(system_clock(), {.timeout = std::chrono::milliseconds(50)});
  const auto answer = get(helpers, "hang");
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, ErrorCode::kTimedOut);
}

TEST_F(CredentialHelpersTest, DestructionKillsWhatRunsAndAnswersAll) {
  write("hang", "exec sleep 1000\n");
  int answers = 0;
  {
    CredentialHelpers helpers(system_clock(), {.programs_max = 1});
    for (int i = 0; i < 3; ++i) {
      helpers.get("hang", std::to_string(i), [&](const CredentialHelpers::Answer& answer) {
        EXPECT_EQ(answer.error().code, ErrorCode::kCancelled);
        ++answers;
      });
    }
  }
  EXPECT_EQ(answers, 3);
}

TEST_F(CredentialHelpersTest, AFilesHelperIsAskedInsteadOfTheFile) {
  write("hub", kGood);
  const auto config = DockerConfig::parse(
      R"({"credsStore":"hub","credHelpers":{"file.test":""},
          "auths":{"docker.io":{"username":"stale","password":"1"},
                   "file.test":{"username":"file","password":"2"}}})",
      "config.json");
  ASSERT_TRUE(config.has_value());
  const auto helpers = std::make_shared<CredentialHelpers>(system_clock());
  FileKeychain keychain(*config, helpers);
  const auto find = [&](std::string_view image) {
    std::promise<Found> promise;
    auto found = promise.get_future();
    keychain.find(*image::ImageReference::parse(image), {},
                  [&](Found answer) { promise.set_value(std::move(answer)); });
    return found.get();
  };
  const Found hub = find("nginx");
  ASSERT_EQ(hub.candidates.size(), 1U);
  EXPECT_EQ(hub.candidates[0].user(), "robot$ci");
  EXPECT_EQ(log_of("hub"), "get<https://index.docker.io/v1/>\n");
  EXPECT_EQ(find("file.test/app").candidates.at(0).user(), "file");

  FileKeychain without(*config);
  Found problem;
  without.find(*image::ImageReference::parse("nginx"), {},
               [&](Found answer) { problem = std::move(answer); });
  ASSERT_EQ(problem.problems.size(), 1U);
  EXPECT_NE(problem.problems[0].message.find("helpers are not run here"), std::string::npos);
}

}  // namespace
}  // namespace windlass::credentials

// A real kube-apiserver, where `./test --kube` has built one: every way to log in, what a server
// says to those who may not, and pull secrets as a pod would have them. See real_kube_api.py for
// who may do what.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>

#include "child_process.h"
#include "windlass/base/testing/temporary_folder.h"
#include "windlass/kube/api_client.h"
#include "windlass/kube/kubeconfig.h"
#include "windlass/kube/objects.h"
#include "windlass/kube_credentials/cluster_keychain.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::integration {
namespace {

const std::string kApiserver = WINDLASS_TOOLS "/kube-apiserver";
const std::string kEtcd = WINDLASS_TOOLS "/etcd";

class RealClusterTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kApiserver) || !std::filesystem::exists(kEtcd))
      GTEST_SKIP() << "no kube-apiserver here; ./test --kube builds one";
    process_.emplace(std::vector<std::string>{
        WINDLASS_PYTHON, "-B", WINDLASS_SUPPORT "/real_kube_api.py", "--apiserver", kApiserver,
        "--etcd", kEtcd, "--folder", folder_.path("")});
    config_ = kube::Kubeconfig::load({folder_.path("kubeconfig")});
    ASSERT_TRUE(config_.has_value()) << config_.error().message;
  }

  kube::Connection connection(const std::string& context) const {
    Result<kube::Connection> made = config_->connection(context);
    EXPECT_TRUE(made.has_value()) << made.error().message;
    return made ? *made : kube::Connection();
  }

  // "ok", or the error's code and message.
  static std::string read(kube::ApiClient& client, const std::string& secret) {
    const Result<kube::SecretObject> object = kube::read_secret(client, "shop", secret, {});
    if (object) return object->data.empty() ? "empty" : "ok";
    EXPECT_EQ(object.error().message.find("canary"), std::string::npos) << object.error().message;
    return std::string(to_string(object.error().code)) + ": " + object.error().message;
  }
  std::string read_as(const std::string& context, const std::string& secret = "s1") const {
    kube::ApiClient client(system_clock(), connection(context), {.attempts_max = 1}, 1);
    return read(client, secret);
  }

  TemporaryFolder folder_;
  std::optional<test_support::ChildProcess> process_;
  Result<kube::Kubeconfig> config_;
};

TEST_F(RealClusterTest, EveryWayToLogInOpens) {
  for (const char* context : {"admin", "alice", "alice-file", "pod", "client-files", "client-data",
                              "exec-token", "exec-key", "as-alice", "data", "named", "insecure"})
    EXPECT_EQ(read_as(context), "ok") << context;
  for (const char* context : {"pod", "client-data", "exec-key"})
    EXPECT_EQ(read_as(context, "s2"), "ok") << context;
}

TEST_F(RealClusterTest, WhatIsRefusedIsTold) {
  struct Row {
    std::string context;
    std::string secret;
    std::string begins;
    std::string holds;
  };
  const Row table[] = {
      {"wrong", "s1", "unauthenticated: read secret shop/s1 from https://",
       "status 401: Unauthorized"},
      {"alice", "s2",
       "forbidden: ", "secrets \\\"s2\\\" is forbidden: User \\\"alice\\\" cannot get"},
      {"as-alice", "s2", "forbidden: ", "User \\\"alice\\\""},
      {"admin", "gone", "not-found: ", "secrets \\\"gone\\\" not found"},
      {"misnamed", "s1", "invalid: ", "the certificate is for another name"},
      {"stranger", "s1", "invalid: ", "its CA belongs into the certificate-authority of context"},
      {"unnamed", "s1", "invalid: ", "the certificate is not trusted"},
      {"nobody", "s1", "unavailable: ", "connect to 127.0.0.1:1"},
  };
  for (const Row& row : table) {
    const std::string error = read_as(row.context, row.secret);
    EXPECT_TRUE(error.starts_with(row.begins)) << error;
    EXPECT_NE(error.find(row.holds), std::string::npos) << error;
    EXPECT_NE(error.find("(context " + row.context + " of "), std::string::npos) << error;
  }
}

TEST_F(RealClusterTest, APodsTokenIsReadAgainWhenItIsRotated) {
  const std::string server = connection("pod").server;
  const std::string port = server.substr(server.rfind(':') + 1);
  const Result<kube::Connection> pod = kube::in_cluster("127.0.0.1", port, folder_.path("pod"));
  ASSERT_TRUE(pod.has_value()) << pod.error().message;
  kube::ApiClient client(system_clock(), *pod, {.attempts_max = 1}, 1);
  EXPECT_EQ(read(client, "s2"), "ok");
  std::ifstream file(folder_.path("pod/token"));
  const std::string token{std::istreambuf_iterator<char>(file), {}};
  folder_.write("pod/token", "old-canary");
  EXPECT_TRUE(read(client, "s2").starts_with("unauthenticated: "));
  folder_.write("pod/token", token);
  EXPECT_EQ(read(client, "s2"), "ok");
}

TEST_F(RealClusterTest, PullSecretsAreThoseOfAPod) {
  telemetry::RecordingLogger logger;
  kube::ApiClient client(system_clock(), connection("pod"), {}, 1);
  const auto cluster =
      std::make_shared<kube_credentials::ClusterCredentials>(system_clock(), client, logger);
  kube_credentials::ClusterKeychain keychain(cluster,
                                             {.name_space = "shop",
                                              .service_account = "robot",
                                              .pull_secrets = {"s2", "lost", "opaque", "s1"}});
  std::promise<credentials::Found> promise;
  keychain.find(*image::ImageReference::parse("registry.test/app"), {},
                [&](credentials::Found found) { promise.set_value(std::move(found)); });
  const credentials::Found found = promise.get_future().get();
  std::string users;
  for (const credentials::Credential& candidate : found.candidates) users += candidate.user() + ";";
  EXPECT_EQ(users, "two;one;three;");
  EXPECT_TRUE(found.problems.empty());
  for (const char* name : {"secret shop/lost", "secret shop/opaque", "secret shop/gone"})
    EXPECT_TRUE(logger.holds(name)) << name;
  EXPECT_FALSE(logger.holds("canary"));
}

}  // namespace
}  // namespace windlass::integration

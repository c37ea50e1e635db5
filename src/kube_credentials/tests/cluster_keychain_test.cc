#include "windlass/kube_credentials/cluster_keychain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <latch>

#include "windlass/kube/testing/fake_cluster.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::kube_credentials {
namespace {

using credentials::Credential;
using credentials::Found;
using std::chrono::milliseconds;

const std::string kSecrets = "/api/v1/namespaces/shop/secrets/";

class ClusterKeychainTest : public testing::Test {
 protected:
  void start(ClusterOptions options = {}) {
    cluster_ = std::make_shared<ClusterCredentials>(system_clock(), client_, logger_, options);
  }

  Found find(const Scope& scope, std::string_view image = "registry.test/app") {
    if (cluster_ == nullptr) start();
    ClusterKeychain keychain(cluster_, scope);
    std::promise<Found> promise;
    auto found = promise.get_future();
    keychain.find(*image::ImageReference::parse(image), {},
                  [&](Found answer) { promise.set_value(std::move(answer)); });
    return found.get();
  }

  static std::string users(const Found& found) {
    std::string all;
    for (const Credential& candidate : found.candidates) all += candidate.user() + ";";
    for (const Error& problem : found.problems)
      all += "(" + std::string(to_string(problem.code)) + ")";
    return all;
  }

  long requests(const std::string& path) const {
    const std::vector<std::string> paths = api_.paths();
    return std::ranges::count(paths, path);
  }

  kube::FakeCluster api_;
  kube::ApiClient client_{
      system_clock(),
      api_.connection(),
      {.attempts_max = 2, .backoff_base = milliseconds(1), .backoff_max = milliseconds(1)},
      1};
  telemetry::RecordingLogger logger_;
  std::shared_ptr<ClusterCredentials> cluster_;
};

TEST_F(ClusterKeychainTest, ThePodsSecretsThenThoseOfItsServiceAccount) {
  api_.put_login("shop", "s1", "registry.test", "one", "1");
  api_.put_login("shop", "s2", "registry.test", "two", "2");
  api_.put_login("shop", "s3", "registry.test", "three", "3");
  api_.put_login("shop", "s4", "registry.test/app", "path", "4");
  api_.put_service_account("shop", "robot", {"s3", "s4"});
  const Found found =
      find({.name_space = "shop", .service_account = "robot", .pull_secrets = {"s2", "s1"}});
  EXPECT_EQ(users(found), "path;two;one;three;");
  EXPECT_EQ(found.candidates[1].shown(), "user two from secret shop/s2");
}

TEST_F(ClusterKeychainTest, WithoutANameTheDefaultServiceAccountCounts) {
  api_.put_login("shop", "s1", "registry.test", "one", "1");
  api_.put_service_account("shop", "default", {"s1"});
  EXPECT_EQ(users(find({.name_space = "shop"})), "one;");
  EXPECT_EQ(users(find({.name_space = "shop", .service_account = ""})), "");
}

TEST_F(ClusterKeychainTest, NoneOfTheOtherNamespaceIsUsed) {
  api_.put_login("other", "s1", "registry.test", "other", "1");
  api_.put_service_account("other", "default", {"s1"});
  EXPECT_EQ(users(find({.name_space = "shop", .pull_secrets = {"s1"}})), "");
  for (const std::string& path : api_.paths())
    EXPECT_TRUE(path.starts_with("/api/v1/namespaces/shop/")) << path;
}

TEST_F(ClusterKeychainTest, WhatIsMissingForbiddenOrMalformedIsNotedAndPassedOver) {
  api_.put_secret("shop", "junk", "kubernetes.io/dockerconfigjson",
                  {{".dockerconfigjson", "{canary"}});
  api_.put_secret("shop", "wrongtype", "Opaque", {{"password", "canary"}});
  api_.put_login("shop", "secret-of-others", "registry.test", "others", "canary");
  api_.fail_next(kSecrets + "secret-of-others", 403);
  api_.put_login("shop", "good", "registry.test", "good", "canary");
  EXPECT_EQ(users(find({.name_space = "shop",
                        .pull_secrets = {"gone", "junk", "wrongtype", "secret-of-others", "../x",
                                         "good"}})),
            "good;");
  for (const char* name :
       {"secret shop/gone", "secret shop/junk", "secret shop/wrongtype",
        "secret shop/secret-of-others", "secret shop/../x", "serviceaccount shop/default"})
    EXPECT_TRUE(logger_.holds(name)) << name;
  EXPECT_FALSE(logger_.holds("canary"));
}

TEST_F(ClusterKeychainTest, AServerThatFailsIsAProblemThatMayPass) {
  api_.put_login("shop", "s1", "registry.test", "one", "1");
  api_.put_login("shop", "s2", "registry.test", "two", "2");
  const Scope scope{.name_space = "shop", .service_account = "", .pull_secrets = {"s1", "s2"}};
  start({.keep_failure = Duration::zero()});
  api_.fail_next(kSecrets + "s1", 500, 2);
  EXPECT_EQ(users(find(scope)), "two;(unavailable)");
  EXPECT_EQ(users(find(scope)), "one;two;");
}

TEST_F(ClusterKeychainTest, OneFetchForManyOwners) {
  api_.put_login("shop", "s1", "registry.test", "one", "1");
  api_.put_login("shop", "s2", "registry.test", "two", "2");
  api_.put_service_account("shop", "default", {"s1"});
  start();
  constexpr int kOwners = 300;
  std::latch answered(kOwners);
  for (int i = 0; i < kOwners; ++i) {
    Scope scope{.name_space = "shop"};
    if (i % 3 == 0) scope.pull_secrets = {"s2"};
    if (i % 3 == 1) scope.pull_secrets = {"s2", "s1"};
    cluster_->find(scope, *image::ImageReference::parse("registry.test/app"),
                   [&](const Found& found) {
                     EXPECT_FALSE(found.candidates.empty());
                     answered.count_down();
                   });
  }
  answered.wait();
  EXPECT_EQ(api_.paths().size(), 3U);
}

TEST_F(ClusterKeychainTest, RefreshFetchesAgainWhatIsNotFresh) {
  api_.put_login("shop", "s1", "registry.test", "old", "1");
  api_.put_service_account("shop", "default", {"s1"});
  const Scope scope{.name_space = "shop"};
  start({.fresh = Duration::zero()});
  EXPECT_EQ(users(find(scope)), "old;");
  api_.put_login("shop", "s1", "registry.test", "new", "2");
  EXPECT_EQ(users(find(scope)), "old;");
  cluster_->refresh(scope);
  EXPECT_EQ(users(find(scope)), "new;");
  EXPECT_EQ(requests(kSecrets + "s1"), 2);
  start({.fresh = std::chrono::hours(1)});
  find(scope);
  cluster_->refresh(scope);
  find(scope);
  EXPECT_EQ(requests(kSecrets + "s1"), 3);
}

TEST_F(ClusterKeychainTest, DestructionAnswersAll) {
  start();
  std::vector<std::future<Found>> answers;
  for (int i = 0; i < 20; ++i) {
    auto promise = std::make_shared<std::promise<Found>>();
    answers.push_back(promise->get_future());
    cluster_->find({.name_space = "shop", .pull_secrets = {"s" + std::to_string(i)}},
                   *image::ImageReference::parse("registry.test/app"),
                   [promise](Found found) { promise->set_value(std::move(found)); });
  }
  cluster_.reset();
  for (auto& answer : answers) answer.get();
}

}  // namespace
}  // namespace windlass::kube_credentials

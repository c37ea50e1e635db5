#include "windlass/kube/objects.h"

#include <gtest/gtest.h>

#include "windlass/kube/testing/fake_cluster.h"

namespace windlass::kube {
namespace {

class ObjectsTest : public testing::Test {
 protected:
  FakeCluster cluster_;
  ApiClient client_{system_clock(), cluster_.connection(), {}, 1};
};

TEST_F(ObjectsTest, ASecretWithItsDataDecoded) {
  cluster_.put_secret("shop", "regcred", "Opaque", {{"a", "one"}, {"b", std::string("\0x", 2)}});
  const Result<SecretObject> secret = read_secret(client_, "shop", "regcred", {});
  ASSERT_TRUE(secret.has_value()) << secret.error().message;
  EXPECT_EQ(secret->type, "Opaque");
  EXPECT_EQ(secret->data.at("a").reveal(), "one");
  EXPECT_EQ(secret->data.at("b").reveal(), std::string_view("\0x", 2));
  EXPECT_TRUE(secret->problems.empty());
}

TEST_F(ObjectsTest, AServiceAccountWithItsPullSecretsInOrder) {
  cluster_.put_service_account("shop", "robot", {"b", "a"});
  const Result<ServiceAccount> account = read_service_account(client_, "shop", "robot", {});
  ASSERT_TRUE(account.has_value()) << account.error().message;
  EXPECT_EQ(account->image_pull_secrets, (std::vector<std::string>{"b", "a"}));
}

TEST_F(ObjectsTest, WhatIsNotThereIsNamed) {
  const Result<SecretObject> gone = read_secret(client_, "shop", "gone", {});
  ASSERT_FALSE(gone.has_value());
  EXPECT_EQ(gone.error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(gone.error().message.starts_with("read secret shop/gone from http://127.0.0.1:"))
      << gone.error().message;
}

TEST_F(ObjectsTest, NamesThatWouldLeadElsewhereAreNeverAskedFor) {
  for (const std::string name : {"", "..", "../pods", "a/b", "a?x=1", "A", "a..b", "-a", "a%2f"}) {
    EXPECT_FALSE(is_object_name(name)) << name;
    EXPECT_EQ(read_secret(client_, "shop", name, {}).error().code, ErrorCode::kInvalid);
    EXPECT_EQ(read_secret(client_, name, "a", {}).error().code, ErrorCode::kInvalid);
  }
  EXPECT_TRUE(is_object_name("my-secret.v1"));
  EXPECT_TRUE(cluster_.paths().empty());
}

}  // namespace
}  // namespace windlass::kube

// Knative Serving's rules for a revision's containers.
#include "windlass/resolver/revision_resolver.h"

#include <gtest/gtest.h>

#include <latch>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/resolver/testing/scripted_image_resolver.h"

namespace windlass::resolver {
namespace {

using Statuses = std::vector<ContainerStatus>;

const std::string kDigest = "sha256:" + std::string(64, 'a');

std::string pinned(const std::string& name, const std::string& tag) {
  return name + "@" + image::Digest::sha256_of(name + ":" + tag).to_string();
}

class RevisionResolverTest : public testing::Test {
 protected:
  std::optional<Result<RevisionStatus>> resolve(const RevisionSpec& spec) {
    return revisions_.resolve("ns/rev", spec);
  }
  static Options options() {
    Options options;
    options.cache.entries_max = 0;
    return options;
  }

  FakeClock clock_;
  ScriptedImageResolver images_;
  std::latch called_back_{1};
  BackgroundResolver resolver_{clock_, images_, options(),
                               [this](const std::string&) { called_back_.count_down(); }};
  RevisionResolver revisions_{resolver_};
};

TEST_F(RevisionResolverTest, StatusesFollowTheSpecNotTheOrderOfCompletion) {
  const RevisionSpec spec = {.init_containers = {{"setup", "init:v1"}},
                             .containers = {{"first", "app:v1"}, {"second", "side:v2"}}};
  EXPECT_FALSE(resolve(spec).has_value());
  images_.await_open(3);
  images_.answer("side:v2");
  images_.answer("app:v1");
  images_.answer("init:v1");
  called_back_.wait();
  const auto status = resolve(spec);
  ASSERT_TRUE(status.has_value() && status->has_value());
  EXPECT_EQ((*status)->init_containers,
            (Statuses{{"setup", pinned("docker.io/library/init", "v1")}}));
  EXPECT_EQ((*status)->containers, (Statuses{{"first", pinned("docker.io/library/app", "v1")},
                                             {"second", pinned("docker.io/library/side", "v2")}}));
}

TEST_F(RevisionResolverTest, ADigestStaysAsWrittenAndASkippedRegistryIsEmpty) {
  const auto status =
      resolve({.containers = {{"pinned", "app:v1@" + kDigest}, {"local", "ko.local/app:v1"}}});
  ASSERT_TRUE(status.has_value() && status->has_value());
  EXPECT_TRUE((*status)->init_containers.empty());
  EXPECT_EQ((*status)->containers, (Statuses{{"pinned", "app:v1@" + kDigest}, {"local", ""}}));
}

TEST_F(RevisionResolverTest, OneImageInTwoContainersIsAskedForOnce) {
  const RevisionSpec spec = {.init_containers = {{"setup", "app"}},
                             .containers = {{"main", "app"}}};
  resolve(spec);
  images_.await_open(1);
  images_.answer("app");
  called_back_.wait();
  const auto status = resolve(spec);
  EXPECT_EQ((*status)->init_containers[0].image_digest, (*status)->containers[0].image_digest);
  EXPECT_EQ(images_.started(), 1U);
}

TEST_F(RevisionResolverTest, FailuresAreAllToldInKnativesWordsAndSpecOrder) {
  const RevisionSpec spec = {.init_containers = {{"setup", "init"}},
                             .containers = {{"main", "app"}, {"side", "good"}}};
  resolve(spec);
  images_.await_open(3);
  images_.answer("app", fail(ErrorCode::kForbidden, "denied"));
  images_.answer("good");
  images_.answer("init", fail(ErrorCode::kNotFound, "no such tag"));
  called_back_.wait();
  const auto status = resolve(spec);
  ASSERT_TRUE(status.has_value() && !status->has_value());
  EXPECT_EQ(status->error().code, ErrorCode::kNotFound);
  EXPECT_EQ(status->error().message,
            "Unable to fetch image \"init\": failed to resolve image to digest: no such tag; "
            "Unable to fetch image \"app\": failed to resolve image to digest: denied");
}

TEST_F(RevisionResolverTest, WithoutContainersReadyAtOnceAndCalledBack) {
  const auto status = resolve({});
  ASSERT_TRUE(status.has_value() && status->has_value());
  called_back_.wait();
}

TEST_F(RevisionResolverTest, AnEditedImageIsAskedForAnew) {
  resolve({.containers = {{"main", "app:v1"}}});
  images_.await_open(1);
  images_.answer("app:v1");
  called_back_.wait();
  EXPECT_FALSE(resolve({.containers = {{"main", "app:v2"}}}).has_value());
  images_.await_open(1);
  revisions_.forget("ns/rev");
}

}  // namespace
}  // namespace windlass::resolver

// Knative Serving's rules for a revision's containers.
#include "windlass/resolver/revision_resolver.h"

#include <gtest/gtest.h>

#include <latch>
#include <semaphore>

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
    return revisions_.resolve({"ns", "rev"}, spec);
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
  revisions_.forget({"ns", "rev"});
}

TEST_F(RevisionResolverTest, ATimeoutIsToldAsOne) {
  ResolveOptions options;
  options.deadline = std::chrono::milliseconds(10);
  EXPECT_FALSE(revisions_.resolve({"ns", "rev"}, {.containers = {{"main", "app"}}}, options));
  images_.await_open(1);
  clock_.advance(std::chrono::milliseconds(10));
  called_back_.wait();
  const auto status = revisions_.resolve({"ns", "rev"}, {.containers = {{"main", "app"}}}, options);
  ASSERT_TRUE(status.has_value() && !status->has_value());
  EXPECT_EQ(status->error().code, ErrorCode::kTimedOut);
}

TEST_F(RevisionResolverTest, EachCallsSkipListCounts) {
  ResolveOptions options;
  options.skip = std::make_shared<SkipList>(*SkipList::parse_list("r.test"));
  const RevisionSpec spec = {.containers = {{"main", "r.test/app"}}};
  const auto status = revisions_.resolve({"ns", "rev"}, spec, options);
  ASSERT_TRUE(status.has_value() && status->has_value());
  EXPECT_EQ((*status)->containers, (Statuses{{"main", ""}}));
  // The original would go on with what the first call said.
  EXPECT_FALSE(revisions_.resolve({"ns", "rev"}, spec).has_value());
  images_.await_open(1);
  revisions_.forget({"ns", "rev"});
}

TEST(RevisionResolver, AfterAFailureOnlyWhatFailedIsAskedForAgain) {
  FakeClock clock;
  ScriptedImageResolver images;
  std::binary_semaphore called_back(0);
  BackgroundResolver resolver(clock, images, {.retry_jitter = 0},
                              [&](const std::string&) { called_back.release(); });
  RevisionResolver revisions(resolver);
  const RevisionSpec spec = {.containers = {{"main", "good"}, {"side", "bad"}}};
  revisions.resolve({"ns", "rev"}, spec);
  images.await_open(2);
  images.answer("good");
  images.answer("bad", fail(ErrorCode::kCorrupt, "another digest"));
  called_back.acquire();
  revisions.clear({"ns", "rev"});
  EXPECT_FALSE(revisions.resolve({"ns", "rev"}, spec).has_value());
  clock.advance(std::chrono::seconds(1));
  images.await_started(3);
  EXPECT_EQ(images.open_images(), std::vector<std::string>{"docker.io/library/bad:latest"});
  revisions.forget({"ns", "rev"});
}

TEST(RevisionResolver, RunsNothingBeforeStartAndAnswersEverybodyWhenStopped) {
  FakeClock clock;
  ScriptedImageResolver images;
  std::vector<RevisionKey> called_back;
  BackgroundResolver resolver(clock, images, {.in_flight_max = 0}, [&](const std::string& owner) {
    called_back.push_back(RevisionKey::of(owner));
  });
  RevisionResolver revisions(resolver);
  const RevisionSpec one = {.containers = {{"main", "one"}}};
  const RevisionSpec two = {.containers = {{"main", "two"}}};
  EXPECT_FALSE(revisions.resolve({"ns", "a"}, one).has_value());
  EXPECT_FALSE(revisions.resolve({"ns", "b"}, two).has_value());
  EXPECT_EQ(images.started(), 0U);
  std::stop_source stop;
  const std::future<void> ended = revisions.start(stop.get_token(), 1);
  images.await_open(1);
  EXPECT_EQ(images.started(), 1U);
  stop.request_stop();
  ended.wait();
  EXPECT_EQ(called_back, (std::vector<RevisionKey>{{"ns", "a"}, {"ns", "b"}}));
  EXPECT_EQ(revisions.resolve({"ns", "b"}, two)->error().code, ErrorCode::kCancelled);
}

TEST(RevisionResolver, ItsEndDoesNotStopTheResolver) {
  FakeClock clock;
  ScriptedImageResolver images;
  BackgroundResolver resolver(clock, images, {.in_flight_max = 0}, [](const std::string&) {});
  std::future<void> ended;
  {
    RevisionResolver revisions(resolver);
    ended = revisions.start({}, 1);
  }
  ended.wait();
  const std::vector<std::string> image = {"app"};
  EXPECT_FALSE(resolver.resolve("a", image).has_value());
  images.await_open(1);
  resolver.forget("a");
}

}  // namespace
}  // namespace windlass::resolver

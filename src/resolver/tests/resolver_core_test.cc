#include "resolver_core.h"

#include <gtest/gtest.h>

#include "core_world.h"

namespace windlass::resolver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Names = std::vector<std::string>;

const std::string kDigest = "sha256:" + std::string(64, 'a');

ResolveOptions with_deadline(Duration deadline) {
  ResolveOptions options;
  options.deadline = deadline;
  return options;
}

std::vector<std::string> verdicts(const std::optional<Answer>& answer) {
  std::vector<std::string> words;
  if (!answer) return {"pending"};
  for (const ImageResult& image : answer->images) words.emplace_back(to_string(image.verdict));
  return words;
}

TEST(ResolverCore, AnswersOnceEveryImageIsKnownAndCallsBackOnce) {
  CoreWorld world;
  EXPECT_EQ(world.resolve("ns/a", {"one", "two"}), std::nullopt);
  world.succeed("two");
  EXPECT_EQ(world.resolve("ns/a", {"one", "two"}), std::nullopt);
  EXPECT_TRUE(world.take_callbacks().empty());

  world.succeed("one");
  EXPECT_EQ(world.take_callbacks(), (Names{"ns/a"}));
  const std::optional<Answer> answer = world.resolve("ns/a", {"one", "two"});
  ASSERT_TRUE(answer.has_value());
  EXPECT_FALSE(answer->failed());
  EXPECT_EQ(answer->images[0].image, "one");
  EXPECT_EQ(answer->images[0].resolution->digest, digest_for("docker.io/library/one:latest"));
  EXPECT_EQ(answer->images[1].image, "two");
  EXPECT_EQ(answer->images[1].resolution->digest, digest_for("docker.io/library/two:latest"));
  EXPECT_TRUE(world.take_callbacks().empty());
}

TEST(ResolverCore, OneLookupServesAllOwnersAndSpellingsOfAnImage) {
  CoreWorld world;
  world.resolve("a", {"nginx", "docker.io/library/nginx:latest"});
  world.resolve("b", {"index.docker.io/nginx"});
  EXPECT_EQ(world.running().size(), 1U);
  world.succeed("nginx");
  EXPECT_EQ(world.take_callbacks(), (Names{"a", "b"}));
  EXPECT_EQ(
      world.resolve("b", {"index.docker.io/nginx"})->images[0].resolution->reference.written(),
      "index.docker.io/nginx");
  EXPECT_EQ(world.tries_of("nginx"), 1);
}

TEST(ResolverCore, NeverSharesBetweenCredentials) {
  CoreWorld world;
  ResolveOptions alice;
  alice.credentials.identity = "alice";
  ResolveOptions bob;
  bob.credentials.identity = "bob";
  world.resolve("a", {"app"}, alice);
  world.resolve("b", {"app"}, bob);
  EXPECT_EQ(world.running().size(), 2U);
}

TEST(ResolverCore, NeverSharesBetweenPlatformsNorWithThoseWhoVerify) {
  CoreWorld world;
  ResolveOptions arm;
  arm.platform = oci::Platform{.os = "linux", .architecture = "arm64", .variant = ""};
  ResolveOptions sure;
  sure.verify = true;
  world.resolve("a", {"app"});
  world.resolve("b", {"app"}, arm);
  world.resolve("c", {"app"}, sure);
  world.resolve("d", {"app"}, arm);
  EXPECT_EQ(world.running().size(), 3U);
  EXPECT_FALSE(world.try_of("app").options.verify);
  world.succeed("app");
  EXPECT_EQ(world.try_of("app").options.platform, arm.platform);
  world.succeed("app");
  EXPECT_TRUE(world.try_of("app").options.verify);
  EXPECT_EQ(world.take_callbacks(), (std::vector<std::string>{"a", "b", "d"}));
  world.resolve("a", {"app"}, arm);  // another epoch
  EXPECT_EQ(world.running().size(), 2U);
}

TEST(ResolverCore, WhoVerifiesHasDigestsAskedForToo) {
  CoreWorld world;
  ResolveOptions sure;
  sure.verify = true;
  const std::string pinned = "app@sha256:" + std::string(64, 'a');
  EXPECT_FALSE(world.resolve("a", {pinned}, sure).has_value());
  world.fail(pinned, ErrorCode::kCorrupt);
  EXPECT_EQ(world.resolve("a", {pinned}, sure)->error()->code, ErrorCode::kCorrupt);
  const auto skipped = world.resolve("b", {"kind.local/" + pinned}, sure);
  ASSERT_TRUE(skipped.has_value());
  EXPECT_TRUE(skipped->images[0].resolved());
}

TEST(ResolverCore, DigestsAndSkippedRegistriesAreAnsweredAtOnceWithOneCallback) {
  CoreWorld world;
  const std::vector<std::string> images = {"app:v1@" + kDigest, "kind.local/app"};
  const std::optional<Answer> answer = world.resolve("a", images);
  EXPECT_EQ(verdicts(answer), (Names{"resolved", "skipped"}));
  EXPECT_EQ(answer->images[0].resolution->digest.to_string(), kDigest);
  EXPECT_FALSE(answer->images[0].resolution->asked);
  EXPECT_EQ(answer->images[0].tries, 0);
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
  EXPECT_TRUE(world.resolve("a", images).has_value());
  EXPECT_TRUE(world.take_callbacks().empty());
  EXPECT_TRUE(world.running().empty());
}

TEST(ResolverCore, AnOwnerWithoutImagesIsReadyAtOnceWithItsCallback) {
  CoreWorld world;
  const std::optional<Answer> answer = world.resolve("a", {});
  ASSERT_TRUE(answer.has_value());
  EXPECT_TRUE(answer->images.empty());
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
}

TEST(ResolverCore, AMalformedImageFailsWithoutALookup) {
  CoreWorld world;
  const std::optional<Answer> answer = world.resolve("a", {"ubuntu%latest"});
  EXPECT_EQ(verdicts(answer), (Names{"failed"}));
  EXPECT_EQ(answer->error()->code, ErrorCode::kInvalid);
  EXPECT_TRUE(world.running().empty());
}

TEST(ResolverCore, TransientFailuresAreRetriedBeforeTheOwnerSeesThem) {
  CoreWorld world;
  world.resolve("a", {"app"});
  world.fail("app", ErrorCode::kUnavailable);
  EXPECT_TRUE(world.running().empty());
  world.advance(milliseconds(999));
  EXPECT_TRUE(world.running().empty());
  world.advance(milliseconds(1));
  world.fail("app", ErrorCode::kTimedOut);
  world.advance(seconds(2));
  world.succeed("app");
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
  const std::optional<Answer> answer = world.resolve("a", {"app"});
  EXPECT_EQ(verdicts(answer), (Names{"resolved"}));
  EXPECT_EQ(answer->images[0].tries, 3);
}

TEST(ResolverCore, PermanentFailuresAreReportedAtOnceAndAllOfThemInSpecOrder) {
  CoreWorld world;
  const std::vector<std::string> images = {"bad", "good", "worse"};
  world.resolve("a", images);
  world.fail("worse", ErrorCode::kForbidden);
  world.succeed("good");
  EXPECT_TRUE(world.take_callbacks().empty());
  world.fail("bad", ErrorCode::kNotFound);
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));

  const std::optional<Answer> answer = world.resolve("a", images);
  EXPECT_EQ(verdicts(answer), (Names{"failed", "resolved", "failed"}));
  EXPECT_EQ(answer->error()->code, ErrorCode::kNotFound);
  EXPECT_EQ(answer->error()->message,
            "image \"bad\": no luck with bad; image \"worse\": no luck with worse");
}

TEST(ResolverCore, AnOwnerThatHasFailedForGoodWaitsForNoRetries) {
  CoreWorld world;
  world.resolve("a", {"flaky", "bad"});
  world.fail("flaky", ErrorCode::kUnavailable);
  EXPECT_TRUE(world.take_callbacks().empty());
  world.fail("bad", ErrorCode::kNotFound);
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
  EXPECT_EQ((verdicts(world.resolve("a", {"flaky", "bad"}))), (Names{"failed", "failed"}));
  EXPECT_EQ(world.queued(), 0U);
}

TEST(ResolverCore, TheDeadlineEndsALookupThatHangs) {
  CoreWorld world;
  world.resolve("a", {"registry.test/app", "good"}, with_deadline(seconds(5)));
  world.succeed("good");
  world.advance(seconds(5));
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
  const std::optional<Answer> answer =
      world.resolve("a", {"registry.test/app", "good"}, with_deadline(seconds(5)));
  EXPECT_EQ(verdicts(answer), (Names{"failed", "resolved"}));
  EXPECT_EQ(answer->images[0].error->code, ErrorCode::kTimedOut);
  EXPECT_TRUE(answer->images[0].error->message.contains("no answer from registry.test"))
      << answer->images[0].error->message;
  EXPECT_EQ(world.cancelled(), 1U);
}

TEST(ResolverCore, ATryThatWouldComeAfterTheDeadlineIsNotWaitedFor) {
  CoreWorld world;
  world.resolve("a", {"app"}, with_deadline(seconds(2)));
  world.fail("app", ErrorCode::kUnavailable);
  world.advance(seconds(1));
  world.fail("app", ErrorCode::kUnavailable);
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
}

TEST(ResolverCore, ARegistryThatAsksForADayIsReportedAtOnceWithItsDay) {
  CoreWorld world;
  world.resolve("a", {"app"});
  world.fail("app", Error{.code = ErrorCode::kThrottled,
                          .message = "too many requests",
                          .retry_after = std::chrono::hours(24)});
  const std::optional<Answer> answer = world.resolve("a", {"app"});
  EXPECT_EQ(verdicts(answer), (Names{"failed"}));
  EXPECT_EQ(answer->error()->code, ErrorCode::kThrottled);
  EXPECT_EQ(answer->error()->retry_after, std::chrono::hours(24));
}

TEST(ResolverCore, RetryAfterIsTheLeastPause) {
  CoreWorld world;
  world.resolve("a", {"app"});
  world.fail("app", Error{.code = ErrorCode::kThrottled,
                          .message = "too many requests",
                          .retry_after = seconds(10)});
  world.advance(milliseconds(9'999));
  EXPECT_TRUE(world.running().empty());
  world.advance(milliseconds(1));
  EXPECT_EQ(world.running().size(), 1U);
}

TEST(ResolverCore, TheLastOwnerToLeaveCancels) {
  CoreWorld world;
  world.resolve("a", {"app"});
  world.resolve("b", {"app"});
  world.forget("a");
  EXPECT_EQ(world.cancelled(), 0U);
  world.clear("b");
  EXPECT_EQ(world.cancelled(), 1U);
  world.end_cancelled();
  EXPECT_TRUE(world.take_callbacks().empty());
  EXPECT_TRUE(world.core().empty());
}

TEST(ResolverCore, ClearedWhileInFlightAStaleAnswerIsNobodys) {
  CoreWorld world;
  world.resolve("a", {"app"});
  world.clear("a");
  world.resolve("a", {"app"});
  world.end_cancelled();
  EXPECT_TRUE(world.take_callbacks().empty());
  EXPECT_EQ(world.resolve("a", {"app"}), std::nullopt);
  world.succeed("app");
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
}

TEST(ResolverCore, ForgottenWhileInFlightNoCallbackComes) {
  CoreWorld world;
  world.resolve("a", {"app"});
  world.forget("a");
  world.end_cancelled();
  EXPECT_TRUE(world.take_callbacks().empty());
  EXPECT_TRUE(world.core().empty());
}

TEST(ResolverCore, ClearTakesBackACallbackThatIsStillDue) {
  CoreWorld world;
  world.resolve("a", {});
  EXPECT_TRUE(world.core().has_callback());
  world.clear("a");
  EXPECT_TRUE(world.take_callbacks().empty());
}

TEST(ResolverCore, ChangedImagesStartANewEpoch) {
  CoreWorld world;
  world.resolve("a", {"app:v1"});
  world.succeed("app:v1");
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
  EXPECT_EQ(world.resolve("a", {"app:v2"}), std::nullopt);
  world.succeed("app:v2");
  EXPECT_EQ(world.take_callbacks(), (Names{"a"}));
  EXPECT_EQ(world.resolve("a", {"app:v2"})->images[0].resolution->reference.written(), "app:v2");
}

TEST(ResolverCore, ChangedOptionsStartANewEpoch) {
  CoreWorld world;
  world.resolve("a", {"kind.local/app"});
  ResolveOptions options;
  options.skip = std::make_shared<const SkipList>();
  EXPECT_EQ(world.resolve("a", {"kind.local/app"}, options), std::nullopt);
  options.skip = std::make_shared<const SkipList>();
  EXPECT_EQ(world.resolve("a", {"kind.local/app"}, options), std::nullopt);
  EXPECT_EQ(world.tries_of("kind.local/app"), 1);
  options.deadline = seconds(1);
  world.resolve("a", {"kind.local/app"}, options);
  EXPECT_EQ(world.tries_of("kind.local/app"), 2);
}

TEST(ResolverCore, TheTimeoutOfATryIsTheMostPatientWaitersWithinItsDeadline) {
  CoreWorld world;
  ResolveOptions options = with_deadline(seconds(3));
  options.lookup_timeout = seconds(10);
  world.resolve("a", {"app"}, options);
  EXPECT_EQ(world.try_of("app").options.timeout, seconds(3));
  world.fail("app", ErrorCode::kUnavailable);
  ResolveOptions patient;
  patient.lookup_timeout = seconds(4);
  world.resolve("b", {"app"}, patient);
  world.advance(seconds(1));
  EXPECT_EQ(world.try_of("app").options.timeout, seconds(4));
}

TEST(ResolverCore, OneOwnerTooManyIsRefusedAndNotRemembered) {
  Options options = core_options();
  options.owners_max = 1;
  CoreWorld world(options);
  world.resolve("a", {"app"});
  const std::optional<Answer> answer = world.resolve("b", {"app"});
  EXPECT_EQ(verdicts(answer), (Names{"failed"}));
  EXPECT_EQ(answer->error()->code, ErrorCode::kUnavailable);
  EXPECT_TRUE(world.take_callbacks().empty());
  world.forget("a");
  EXPECT_TRUE(world.core().empty());
}

TEST(ResolverCore, CancellingGivesEveryPendingOwnerAFinalAnswer) {
  CoreWorld world;
  world.resolve("a", {"app", "app:v1@" + kDigest});
  world.resolve("b", {"other"});
  world.core().close(world.now());
  world.core().cancel_pending(world.now());
  world.settle();
  EXPECT_EQ(world.take_callbacks(), (Names{"a", "b"}));
  EXPECT_EQ(world.cancelled(), 2U);
  const std::optional<Answer> answer = world.resolve("a", {"app", "app:v1@" + kDigest});
  EXPECT_EQ(verdicts(answer), (Names{"failed", "resolved"}));
  EXPECT_EQ(answer->error()->code, ErrorCode::kCancelled);
  EXPECT_EQ(world.resolve("c", {"app"})->error()->code, ErrorCode::kCancelled);
}

TEST(ResolverCore, StatusCountsOwnersImagesAndLookups) {
  CoreWorld world;
  world.resolve("a", {"slow", "kind.local/x"});
  world.resolve("b", {"flaky"});
  world.resolve("c", {"bad"});
  world.resolve("d", {"good", "good"});
  world.fail("flaky", ErrorCode::kUnavailable);
  world.fail("bad", ErrorCode::kNotFound);
  world.succeed("good");
  const Status status = world.status();
  EXPECT_EQ(status.owners.pending, 2U);
  EXPECT_EQ(status.owners.resolved, 1U);
  EXPECT_EQ(status.owners.failed, 1U);
  EXPECT_EQ(status.images.pending, 2U);
  EXPECT_EQ(status.images.resolved, 2U);
  EXPECT_EQ(status.images.skipped, 1U);
  EXPECT_EQ(status.images.failed, 1U);
  EXPECT_EQ(status.tries, 4U);
  ASSERT_EQ(status.details.size(), 2U);
  EXPECT_EQ(status.details[0].image, "docker.io/library/slow:latest");
  EXPECT_EQ(status.details[0].state, LookupStatus::State::kRunning);
  EXPECT_EQ(status.details[1].state, LookupStatus::State::kDelayed);
  EXPECT_EQ(status.details[1].next_try_in, seconds(1));
  EXPECT_EQ(status.details[1].last_cause, "no luck with flaky");
  EXPECT_EQ(status.details[1].tries, 1);
}

TEST(ResolverCore, StatusTellsWhoFailedLastAndWhy) {
  CoreWorld world;
  for (const char* owner : {"a", "b", "c", "d"}) world.resolve(owner, {"good", "bad", "worse"});
  world.succeed("good");
  world.fail("worse", ErrorCode::kNotFound);
  world.fail("bad", ErrorCode::kForbidden);
  world.core().forget(world.now(), "d");
  world.core().clear(world.now(), "c");
  const Status status = world.status();
  ASSERT_EQ(status.failed.size(), 2U);
  const auto& [owner, images, failed, image, cause, tries] = status.failed[0];
  EXPECT_EQ(owner, "b");
  EXPECT_EQ(images, 3U);
  EXPECT_EQ(failed, 2U);
  EXPECT_EQ(image, "bad");
  EXPECT_EQ(cause, "no luck with bad");
  EXPECT_EQ(tries, 1);
  EXPECT_EQ(status.failed[1].owner, "a");
  EXPECT_EQ(world.core().status(world.now(), 1).failed.size(), 1U);
}

}  // namespace
}  // namespace windlass::resolver

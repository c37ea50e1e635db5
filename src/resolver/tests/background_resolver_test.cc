#include "windlass/resolver/background_resolver.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/resolver/testing/scripted_image_resolver.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::resolver {
namespace {

using std::chrono::seconds;
using Names = std::vector<std::string>;

Options quiet_options() {
  Options options;
  options.retry_jitter = 0;
  options.cache.entries_max = 0;
  options.seed = 1;
  return options;
}

Error unavailable() { return {.code = ErrorCode::kUnavailable, .message = "connection refused"}; }

// Owners called back, in order.
class Callbacks {
 public:
  void add(const std::string& owner) {
    MutexLock lock(mutex_);
    owners_.push_back(owner);
    changed_.notify_all();
  }
  Names await(std::size_t count) {
    MutexLock lock(mutex_);
    system_clock().wait(mutex_, changed_, {}, [&] {
      mutex_.assert_held();
      return owners_.size() >= count;
    });
    return owners_;
  }
  Names so_far() const {
    MutexLock lock(mutex_);
    return owners_;
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  Names owners_ GUARDED_BY(mutex_);
};

class BackgroundResolverTest : public testing::Test {
 protected:
  void make(const Options& options = quiet_options()) {
    resolver_.emplace(clock_, images_, options,
                      [this](const std::string& owner) { callbacks_.add(owner); });
  }
  std::optional<Answer> resolve(const std::string& owner, const Names& images,
                                const ResolveOptions& options = {}) {
    return resolver_->resolve(owner, images, options);
  }

  FakeClock clock_;
  ScriptedImageResolver images_;
  Callbacks callbacks_;
  std::optional<BackgroundResolver> resolver_;
};

TEST_F(BackgroundResolverTest, PendingThenCalledBackThenAnswered) {
  make();
  EXPECT_EQ(resolve("ns/a", {"app", "other"}), std::nullopt);
  images_.await_open(2);
  images_.answer("other");
  images_.answer("app");
  EXPECT_EQ(callbacks_.await(1), Names{"ns/a"});
  const std::optional<Answer> answer = resolve("ns/a", {"app", "other"});
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->images[0].image, "app");
  EXPECT_EQ(answer->images[1].image, "other");
  EXPECT_FALSE(answer->failed());
}

TEST_F(BackgroundResolverTest, AskedAgainAfterClear) {
  make();
  for (std::size_t round = 1; round <= 2; ++round) {
    EXPECT_EQ(resolve("a", {"app"}), std::nullopt);
    images_.await_open(1);
    images_.answer("app");
    EXPECT_EQ(callbacks_.await(round).size(), round);
    EXPECT_TRUE(resolve("a", {"app"}).has_value());
    resolver_->clear("a");
  }
  EXPECT_EQ(images_.started(), 2U);
}

TEST_F(BackgroundResolverTest, TwoHundredOwnersOfOneImageShareOneLookup) {
  make();
  for (int i = 0; i < 200; ++i) resolve("ns/" + std::to_string(i), {"app"});
  images_.await_open(1);
  images_.answer("app");
  EXPECT_EQ(callbacks_.await(200).size(), 200U);
  EXPECT_EQ(images_.started(), 1U);
}

TEST_F(BackgroundResolverTest, RetriesWhenTheBackoffHasPassed) {
  make();
  resolve("a", {"app"});
  images_.await_open(1);
  images_.answer("app", fail(unavailable()));
  EXPECT_EQ(images_.started(), 1U);
  clock_.advance(seconds(1));
  images_.await_open(1);
  images_.answer("app");
  EXPECT_EQ(callbacks_.await(1), Names{"a"});
  EXPECT_FALSE(resolve("a", {"app"})->failed());
}

TEST_F(BackgroundResolverTest, TheDeadlineCancelsTheLookupAndReportsTheTimeout) {
  make();
  ResolveOptions options;
  options.deadline = seconds(5);
  resolve("a", {"app"}, options);
  images_.await_open(1);
  clock_.advance(seconds(5));
  EXPECT_EQ(callbacks_.await(1), Names{"a"});
  images_.await_open(0);
  EXPECT_EQ(resolve("a", {"app"}, options)->error()->code, ErrorCode::kTimedOut);
}

TEST_F(BackgroundResolverTest, NoMoreLookupsAtATimeThanAllowed) {
  Options options = quiet_options();
  options.in_flight_max = 2;
  make(options);
  for (const char* image : {"a", "b", "c", "d", "e"}) resolve(image, {image});
  for (std::size_t done = 0; done < 5; ++done) {
    // One until the registry has answered.
    images_.await_started(done == 0 ? 1 : std::min<std::size_t>(done + 2, 5));
    images_.answer(images_.open_images().front());
  }
  EXPECT_EQ(callbacks_.await(5), (Names{"a", "b", "c", "d", "e"}));
  EXPECT_EQ(images_.open_max(), 2U);
}

TEST_F(BackgroundResolverTest, LookupsAnsweredAtOnceAreFine) {
  images_.answer_at_once([](const auto& reference) { return resolution_for(reference); });
  make();
  for (int i = 0; i < 100; ++i) {
    const std::string name = "app" + std::to_string(i);
    resolve(name, {name});
  }
  EXPECT_EQ(callbacks_.await(100).size(), 100U);
}

TEST_F(BackgroundResolverTest, TheLastOwnerToGoCancelsTheLookup) {
  make();
  resolve("a", {"app"});
  resolve("b", {"app"});
  images_.await_open(1);
  resolver_->forget("a");
  EXPECT_EQ(images_.open_images().size(), 1U);
  resolver_->forget("b");
  images_.await_open(0);  // its cancellation may still be on its way
  EXPECT_TRUE(callbacks_.so_far().empty());
}

TEST_F(BackgroundResolverTest, StoppingByCancelAnswersEveryPendingOwner) {
  make();
  resolve("a", {"app"});
  resolve("b", {"other"});
  images_.await_open(2);
  resolver_->stop(BackgroundResolver::StopMode::kCancel);
  EXPECT_EQ(callbacks_.so_far(), (Names{"a", "b"}));
  EXPECT_EQ(resolve("a", {"app"})->error()->code, ErrorCode::kCancelled);
  EXPECT_EQ(resolve("c", {"app"})->error()->code, ErrorCode::kCancelled);
  EXPECT_TRUE(images_.open_images().empty());
}

TEST_F(BackgroundResolverTest, DrainingWaitsForThePendingAnswers) {
  make();
  resolve("a", {"app"});
  images_.await_open(1);
  std::jthread stopper([this] { resolver_->stop(BackgroundResolver::StopMode::kDrain); });
  clock_.await_sleepers(3);  // pump, dispatcher and stopper
  EXPECT_EQ(resolve("late", {"other"})->error()->code, ErrorCode::kCancelled);
  images_.answer("app");
  stopper.join();
  EXPECT_EQ(callbacks_.so_far(), Names{"a"});
  EXPECT_FALSE(resolve("a", {"app"})->failed());
}

TEST_F(BackgroundResolverTest, CancelEndsADrainThatWaits) {
  make();
  resolve("a", {"app"});
  images_.await_open(1);
  std::jthread drainer([this] { resolver_->stop(BackgroundResolver::StopMode::kDrain); });
  resolver_->stop(BackgroundResolver::StopMode::kCancel);
  drainer.join();
  EXPECT_EQ(callbacks_.so_far(), Names{"a"});
}

TEST_F(BackgroundResolverTest, DrainingEndsForThoseWhoNeverGetATurn) {
  Options options = quiet_options();
  options.in_flight_max = 0;
  make(options);
  resolve("a", {"app"}, {.deadline_includes_line = false});
  resolver_->stop(BackgroundResolver::StopMode::kDrain);
  EXPECT_EQ(callbacks_.so_far(), Names{"a"});
}

TEST_F(BackgroundResolverTest, StatusTellsWhatIsWaitedFor) {
  make();
  resolve("a", {"app"});
  images_.await_open(1);
  images_.answer("app", fail(unavailable()));
  const Status status = resolver_->status();
  EXPECT_EQ(status.owners.pending, 1U);
  ASSERT_EQ(status.details.size(), 1U);
  EXPECT_EQ(status.details[0].tries, 1);
  EXPECT_EQ(status.details[0].last_cause, "connection refused");
  EXPECT_EQ(status.details[0].next_try_in, seconds(1));
  EXPECT_TRUE(resolver_->status(0).details.empty());
}

TEST(BackgroundResolver, TheCallbackMayCallBackIn) {
  FakeClock clock;
  ScriptedImageResolver images;
  images.answer_at_once([](const auto& reference) { return resolution_for(reference); });
  std::latch done(3);
  BackgroundResolver* self = nullptr;
  std::optional<BackgroundResolver> resolver;
  resolver.emplace(clock, images, quiet_options(), [&](const std::string& owner) {
    const Names images_of_owner = {owner};
    EXPECT_TRUE(self->resolve(owner, images_of_owner).has_value());
    if (owner == "first") {
      self->clear(owner);
      self->resolve("second", Names{"second"});
    }
    if (owner == "second") {
      self->resolve("third", Names{"third"});
      self->forget(owner);
    }
    self->status();
    done.count_down();
  });
  self = &*resolver;
  resolver->resolve("first", Names{"first"});
  done.wait();
}

TEST(BackgroundResolver, ForgetWaitsForACallbackThatIsRunning) {
  FakeClock clock;
  ScriptedImageResolver images;
  std::latch entered(1);
  std::latch may_leave(1);
  std::atomic<bool> left = false;
  BackgroundResolver resolver(clock, images, quiet_options(), [&](const std::string&) {
    entered.count_down();
    may_leave.wait();
    left = true;
  });
  resolver.resolve("a", Names{});
  entered.wait();
  std::atomic<bool> left_before_forget_returned = false;
  std::jthread forgetter([&] {
    resolver.forget("a");
    left_before_forget_returned = left.load();
  });
  clock.await_sleepers(2);  // the pump, and forget()
  may_leave.count_down();
  forgetter.join();
  EXPECT_TRUE(left_before_forget_returned);
}

TEST(BackgroundResolver, AThrowingCallbackIsLoggedAndTheNextOwnerIsCalled) {
  FakeClock clock;
  ScriptedImageResolver images;
  telemetry::RecordingLogger logger;
  std::latch called(2);
  BackgroundResolver resolver(
      clock, images, quiet_options(),
      [&](const std::string& owner) {
        called.count_down();
        if (owner == "a") throw std::runtime_error("out of cheese");
      },
      logger);
  resolver.resolve("a", Names{});
  resolver.resolve("b", Names{});
  called.wait();
  EXPECT_TRUE(logger.holds("callback threw owner=a cause=out of cheese"));
}

class WatchedKeychain final : public credentials::Keychain {
 public:
  WatchedKeychain(std::latch& destroyed, std::atomic<std::thread::id>& destroyer)
      : destroyed_(destroyed), destroyer_(destroyer) {}
  ~WatchedKeychain() override {
    destroyer_ = std::this_thread::get_id();
    destroyed_.count_down();
  }
  void find(const image::ImageReference&, std::stop_token, Callback done) override { done({}); }

 private:
  std::latch& destroyed_;
  std::atomic<std::thread::id>& destroyer_;
};

TEST_F(BackgroundResolverTest, LetsGoOfAKeychainOnlyInAThreadOfItsOwn) {
  make();
  std::latch destroyed(1);
  std::atomic<std::thread::id> destroyer;
  resolve("a", {"app"},
          {.credentials = {.identity = "alice",
                           .keychain = std::make_shared<WatchedKeychain>(destroyed, destroyer)}});
  images_.await_open(1);
  images_.answer("app");
  callbacks_.await(1);
  resolver_->forget("a");
  destroyed.wait();
  EXPECT_NE(destroyer.load(), std::this_thread::get_id());
}

}  // namespace
}  // namespace windlass::resolver

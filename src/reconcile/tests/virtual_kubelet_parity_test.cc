// What virtual-kubelet's queue promises, rule by rule; where its first and its later queue differ,
// the first one's rule is the default.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <map>

#include "controller_world.h"
#include "windlass/base/random.h"

namespace windlass::reconcile {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Result<Outcome> always_fail(Context&, const std::string&) { return fail(some_error("still bad")); }

Options with_policy(Options options, RetryPolicy policy) {
  options.retry_policy = std::move(policy);
  return options;
}

TEST(VirtualKubeletQueue, TwentyCallsWhenFirstAddedRateLimited) {
  ControllerWorld world(without_waiting(), always_fail);
  world.controller().enqueue("a");
  world.start();
  EXPECT_EQ(world.await_idle(20).size(), 20U);
  EXPECT_TRUE(world.controller().empty());
  EXPECT_TRUE(world.logger().holds("forgetting \"a\" due to maximum retries reached: still bad"));
}

TEST(VirtualKubeletQueue, TwentyOneCallsWhenFirstAddedWithoutRateLimit) {
  ControllerWorld world(without_waiting(), always_fail);
  world.controller().enqueue_now("a");
  world.start();
  EXPECT_EQ(world.await_idle(21).size(), 21U);
  EXPECT_TRUE(world.controller().empty());
}

TEST(VirtualKubeletQueue, TwentyCallsEitherWayByTheLaterRule) {
  for (const bool rate_limited : {true, false}) {
    ControllerWorld world(with_policy(without_waiting(), retry_while_tries_below(20)), always_fail);
    EXPECT_TRUE(rate_limited ? world.controller().enqueue("a")
                             : world.controller().enqueue_now("a"));
    world.start();
    EXPECT_EQ(world.await_idle(20).size(), 20U);
    EXPECT_TRUE(world.controller().empty());
  }
}

TEST(VirtualKubeletQueue, AKeyThatWasGivenUpStartsOver) {
  ControllerWorld world(without_waiting(), always_fail);
  world.start();
  world.controller().enqueue("a");
  world.await_idle(20);
  world.controller().enqueue("a");
  EXPECT_EQ(world.await_idle(40).size(), 40U);
  EXPECT_TRUE(world.controller().empty());
}

TEST(VirtualKubeletQueue, ARetryPolicyMayChooseTheDelayForSomeErrors) {
  RetryPolicy policy = [](const FailedRun& run) {
    return run.error.message == "ten" ? RetryDecision::after(milliseconds(10))
                                      : RetryDecision::with_backoff();
  };
  std::atomic<int> calls = 0;
  ControllerWorld world(with_policy(with_seconds(), policy),
                        [&](Context&, const std::string&) -> Result<Outcome> {
                          return fail(some_error(++calls < 3 ? "ten" : "other"));
                        });
  world.controller().enqueue_now("a");
  world.start();
  world.await_idle(1);
  world.clock().advance(milliseconds(10));
  world.await_idle(2);
  world.clock().advance(milliseconds(10));
  world.await_idle(3);
  world.clock().advance(milliseconds(999));
  EXPECT_EQ(world.await_idle(3).size(), 3U);
  world.clock().advance(milliseconds(1));
  EXPECT_EQ(world.await_idle(4).size(), 4U);
}

TEST(VirtualKubeletQueue, TheRetryPolicyKnowsTriesAndWhenTheFirstWasAskedFor) {
  std::atomic<int> tries = 0;
  std::atomic<Duration::rep> age = 0;
  ControllerWorld* self = nullptr;
  RetryPolicy policy = [&](const FailedRun& run) {
    tries = run.tries;
    age = (self->clock().now() - run.first_added).count();
    return RetryDecision::with_backoff();
  };
  ControllerWorld world(with_policy(with_seconds(), policy), always_fail);
  self = &world;
  world.controller().enqueue_now("a");
  world.start();
  world.await_idle(1);
  world.clock().advance(seconds(1));
  world.await_idle(2);
  world.clock().advance(seconds(2));
  world.await_idle(3);
  EXPECT_EQ(tries, 3);
  EXPECT_EQ(Duration(age), seconds(3));
}

TEST(VirtualKubeletQueue, ForgettingAnUnknownKeyIsFineAndEnqueuingMakesOne) {
  ControllerWorld world;
  world.controller().forget("val");
  EXPECT_EQ(world.controller().len(), 0U);
  for (int i = 0; i < 3; ++i) world.controller().enqueue_now("val");
  EXPECT_EQ(world.controller().len(), 1U);
}

TEST(VirtualKubeletQueue, AnEmptyQueueRunsUntilStopped) {
  ControllerWorld world;
  world.start(3);
  world.await_workers(3);
  world.stop();
  EXPECT_TRUE(world.ended_well());
}

TEST(VirtualKubeletQueue, DelaysInThePastRunInTheOrderOfInsertion) {
  ControllerWorld world;
  for (const char* key : {"one", "two", "three"}) {
    world.controller().enqueue_after(key, -seconds(5));
  }
  world.start();
  EXPECT_EQ(world.await_idle(3), (Keys{"one", "two", "three"}));
}

TEST(VirtualKubeletQueue, SleepsUntilTheFirstDelayIsOver) {
  ControllerWorld world;
  world.controller().enqueue_after("late", milliseconds(200));
  world.controller().enqueue_after("early", milliseconds(100));
  world.start();
  world.await_workers(1);
  world.clock().advance(milliseconds(100));
  EXPECT_EQ(world.await_idle(1), Keys{"early"});
  world.clock().advance(milliseconds(100));
  EXPECT_EQ(world.await_idle(2), (Keys{"early", "late"}));
}

TEST(VirtualKubeletQueue, AnAddWakesASleeper) {
  ControllerWorld world;
  world.start();
  world.await_workers(1);
  world.controller().enqueue_now("a");
  EXPECT_EQ(world.await_handled(1), Keys{"a"});
}

TEST(VirtualKubeletQueue, AnAddBringsADelayedKeyForwardAndItsDelayStays) {
  ControllerWorld world;
  world.controller().enqueue_after("a", seconds(10));
  world.start();
  world.await_workers(1);
  world.controller().enqueue_now("a");
  EXPECT_EQ(world.await_idle(1), Keys{"a"});
  world.clock().advance(seconds(10));
  EXPECT_EQ(world.await_idle(2), (Keys{"a", "a"}));
}

TEST(VirtualKubeletQueue, AKeyEnqueuedWhileItIsHandledIsHandledAgain) {
  ControllerWorld* self = nullptr;
  std::atomic<int> calls = 0;
  ControllerWorld world(without_waiting(), [&](Context&, const std::string& key) {
    if (++calls == 1) {
      self->controller().enqueue_now(key);
      self->controller().enqueue_now(key);
    }
    return Outcome::done();
  });
  self = &world;
  world.controller().enqueue_now("foo");
  world.start();
  EXPECT_EQ(world.await_idle(2).size(), 2U);
}

// What it was enqueued for may be what it failed for.
TEST(VirtualKubeletQueue, AKeyEnqueuedInARunThatFailsRunsAtOnceAndAfterItsBackoff) {
  ControllerWorld* self = nullptr;
  std::atomic<int> calls = 0;
  ControllerWorld world(with_seconds(), [&](Context&, const std::string& key) {
    if (++calls > 1) return Result<Outcome>(Outcome::done());
    self->controller().enqueue_now(key);
    return Result<Outcome>(fail(some_error()));
  });
  self = &world;
  world.controller().enqueue_now("foo");
  world.start();
  EXPECT_EQ(world.await_idle(2).size(), 2U);
  world.clock().advance(seconds(1));
  EXPECT_EQ(world.await_idle(3).size(), 3U);
  EXPECT_TRUE(world.controller().empty());
}

TEST(VirtualKubeletQueue, AKeyGivenUpInARunInWhichItWasEnqueuedStartsOver) {
  ControllerWorld* self = nullptr;
  std::vector<int> attempts;
  Options options = without_waiting();
  options.max_retries = 1;
  ControllerWorld world(std::move(options), [&](Context& context, const std::string& key) {
    attempts.push_back(context.attempt());
    if (attempts.size() == 2) self->controller().enqueue_now(key);
    return attempts.size() < 3 ? Result<Outcome>(fail(some_error())) : Outcome::done();
  });
  self = &world;
  world.controller().enqueue_now("foo");
  world.start();
  world.await_idle(3);
  EXPECT_EQ(attempts, (std::vector<int>{1, 2, 1}));
  EXPECT_TRUE(world.logger().holds("forgetting \"foo\" due to maximum retries reached"));
  EXPECT_EQ(world.controller().stats().done, 1U);
}

TEST(VirtualKubeletQueue, TwentyKeysRunOnTwentyWorkersAtATime) {
  std::latch all(20);
  ControllerWorld world(without_waiting(), [&](Context&, const std::string&) {
    all.arrive_and_wait();
    return Outcome::done();
  });
  for (int i = 0; i < 20; ++i) world.controller().enqueue_now(std::to_string(i));
  world.start(20);
  EXPECT_EQ(world.await_idle(20, 20).size(), 20U);
}

struct LimiterCalls {
  std::atomic<int> next_delay = 0;
  std::atomic<int> forget = 0;
};

class CountingLimiter final : public workqueue::RateLimiter<std::string> {
 public:
  explicit CountingLimiter(LimiterCalls& calls) : calls_(calls) {}
  Duration next_delay(std::string_view) override {
    ++calls_.next_delay;
    return {};
  }
  bool forget(std::string_view) override {
    ++calls_.forget;
    return true;
  }
  int num_requeues(std::string_view) const override { return 0; }

 private:
  LimiterCalls& calls_;
};

TEST(VirtualKubeletQueue, TheLimiterIsAskedForEachRetryAndForgetsOnSuccess) {
  LimiterCalls calls;
  Options options;
  options.limiter = std::make_unique<CountingLimiter>(calls);
  ControllerWorld world(std::move(options),
                        [](Context& context, const std::string&) -> Result<Outcome> {
                          if (context.attempt() < 10) return fail(some_error());
                          return Outcome::done();
                        });
  for (int key = 0; key < 4; ++key) world.controller().enqueue(std::to_string(key));
  world.start();
  world.await_idle(40);
  EXPECT_EQ(calls.next_delay, 40);
  EXPECT_EQ(calls.forget, 4);
}

TEST(VirtualKubeletQueue, ForgottenInProgressOneCallAlthoughItFailed) {
  ControllerWorld* self = nullptr;
  ControllerWorld world(without_waiting(),
                        [&](Context&, const std::string& key) -> Result<Outcome> {
                          self->controller().enqueue_now(key);
                          self->controller().forget(key);
                          return fail(some_error());
                        });
  self = &world;
  world.controller().enqueue("foo");
  world.start();
  EXPECT_EQ(world.await_idle(1), Keys{"foo"});
  EXPECT_TRUE(world.controller().empty());
  EXPECT_TRUE(world.logger().holds("forgetting \"foo\" as told to forget while in progress"));
}

TEST(VirtualKubeletQueue, ForgottenBeforeTheStartNeverCalled) {
  ControllerWorld world;
  world.controller().enqueue("foo");
  world.controller().forget("foo");
  world.controller().enqueue_now("bar");
  world.start();
  EXPECT_EQ(world.await_idle(1), Keys{"bar"});
}

TEST(VirtualKubeletQueue, KeysComeInTheOrderOfTheirTimesHoweverTheyWereMoved) {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    ControllerWorld world;
    std::map<std::string, int> due;  // of several delays the earliest counts
    for (int i = 0; i < 60; ++i) {
      const std::string key = std::to_string(random.next() % 20);
      const int delay = 1 + static_cast<int>(random.next() % 10'000);
      world.controller().enqueue_after(key, seconds(delay));
      const auto [entry, added] = due.try_emplace(key, delay);
      if (!added) entry->second = std::min(entry->second, delay);
    }
    world.clock().advance(seconds(10'001));
    world.start();
    const Keys handled = world.await_idle(due.size());
    ASSERT_EQ(handled.size(), due.size());
    EXPECT_TRUE(std::ranges::is_sorted(handled, {}, [&](const auto& key) { return due[key]; }));
  }
}

TEST(VirtualKubeletQueue, StopsAmongManyKeysAndKeepsTheOthers) {
  ControllerWorld world(without_waiting(), [](Context& context, const std::string&) {
    std::latch stopped(1);
    const std::stop_callback on_stop(context.stop(), [&] { stopped.count_down(); });
    stopped.wait();
    return Outcome::done();
  });
  for (int i = 0; i < 1000; ++i) world.controller().enqueue_now(std::to_string(i));
  world.start(10);
  world.await_handled(1);
  world.stop();
  const std::size_t handled = world.await_handled(1).size();
  EXPECT_LE(handled, 10U);
  EXPECT_EQ(world.controller().len(), 1000U - handled);
  EXPECT_EQ(world.report().ready, 1000U - handled);
}

}  // namespace
}  // namespace windlass::reconcile

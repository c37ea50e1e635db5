// What a controller refuses, and what it does when what it was given breaks its word.
#include <gtest/gtest.h>

#include <stdexcept>

#include "controller_world.h"

namespace windlass::reconcile {
namespace {

using std::chrono::seconds;

Result<Outcome> do_nothing(Context&, const std::string&) { return Outcome::done(); }

TEST(ControllerMisuse, RunRefusesWhatItCannotWorkWithAndKeepsTheKeys) {
  struct Case {
    std::string name;
    Handler handler;
    int max_in_flight;
    int workers;
    const char* message;
  };
  const Case cases[] = {
      {"", do_nothing, 1, 1, "run queue: it needs a name"},
      {"pods", nullptr, 1, 1, "run queue pods: it has no handler"},
      {"pods", do_nothing, 0, 1, "run queue pods: max_in_flight must be at least 1, got 0"},
      {"pods", do_nothing, 1, 0, "run queue pods: workers must be at least 1, got 0"},
      {"pods", do_nothing, 1, -1, "run queue pods: workers must be at least 1, got -1"},
      {"pods", do_nothing, 1, 8, "run queue pods: workers must be at most 7, got 8"},
  };
  for (const Case& each : cases) {
    FakeClock clock;
    Options options = without_waiting();
    options.max_in_flight = each.max_in_flight;
    options.workers_max = 7;
    Controller controller(clock, each.name, std::move(options), each.handler);
    controller.enqueue_now("a");
    const Result<StopReport> refused = controller.run({}, each.workers);
    ASSERT_FALSE(refused.has_value()) << each.message;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
    EXPECT_EQ(refused.error().message, each.message);
    EXPECT_EQ(controller.unprocessed_len(), 1U);
  }
}

TEST(ControllerMisuse, ANullAsynchronousHandlerIsRefusedToo) {
  FakeClock clock;
  Controller controller(clock, "pods", {}, AsyncHandler());
  const Result<StopReport> refused = controller.run({}, 1);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "run queue pods: it has no handler");
}

TEST(ControllerMisuse, ARefusedRunCanBeAskedForAgain) {
  ControllerWorld world;
  world.controller().enqueue_now("a");
  EXPECT_FALSE(world.controller().run({}, 0).has_value());
  world.start();
  EXPECT_EQ(world.await_idle(1), Keys{"a"});
}

TEST(ControllerMisuse, WhereTheRetryPolicyThrowsTheDefaultRuleDecides) {
  int thrown = 0;
  Options options = without_waiting();
  options.max_retries = 3;
  options.retry_policy = [&](const FailedRun&) -> RetryDecision {
    if (++thrown % 2 == 0) throw 42;
    throw std::runtime_error("out of cheese");
  };
  ControllerWorld world(std::move(options), [](Context&, const std::string&) -> Result<Outcome> {
    return fail(some_error());
  });
  world.controller().enqueue("a");
  world.start();
  EXPECT_EQ(world.await_idle(3).size(), 3U);
  EXPECT_TRUE(world.controller().empty());
  EXPECT_TRUE(world.logger().holds("the retry policy threw queue=pods workerId=0 key=a"));
  EXPECT_TRUE(world.logger().holds("error=out of cheese"));
}

TEST(ControllerMisuse, AFullQueueRefusesNewKeysAndRemembersNothingOfThem) {
  Options options = with_seconds();
  options.keys_max = 1;
  workqueue::RateLimiter<std::string>& limiter = *options.limiter;
  ControllerWorld world(std::move(options));
  Controller& controller = world.controller();
  EXPECT_TRUE(controller.enqueue("a"));
  EXPECT_TRUE(controller.enqueue("a"));
  EXPECT_FALSE(controller.enqueue("b"));
  EXPECT_FALSE(controller.enqueue_now("b"));
  EXPECT_FALSE(controller.enqueue_after("b", seconds(1)));
  EXPECT_EQ(controller.stats().refused, 3U);
  EXPECT_EQ(limiter.num_requeues("a"), 2);
  EXPECT_EQ(limiter.num_requeues("b"), 0);
}

}  // namespace
}  // namespace windlass::reconcile

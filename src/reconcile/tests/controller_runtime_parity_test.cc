// What controller-runtime's controller promises about a handler's results, rule by rule.
#include <gtest/gtest.h>

#include <atomic>

#include "controller_world.h"

namespace windlass::reconcile {
namespace {

using std::chrono::seconds;

TEST(ControllerRuntime, AnErrorIsRetriedAndTheOthersGoOn) {
  std::atomic<int> failures = 0;
  ControllerWorld world(without_waiting(),
                        [&](Context&, const std::string& key) -> Result<Outcome> {
                          if (key == "a" && ++failures == 1) return fail(some_error());
                          return Outcome::done();
                        });
  world.controller().enqueue_now("a");
  world.controller().enqueue_now("b");
  world.start();
  EXPECT_EQ(world.await_idle(3), (Keys{"a", "b", "a"}));
}

TEST(ControllerRuntime, ATerminalErrorIsNotRetried) {
  ControllerWorld world(without_waiting(), [](Context&, const std::string&) {
    return Outcome::terminal({.code = ErrorCode::kInvalid, .message = "no such field"});
  });
  world.controller().enqueue_now("a");
  world.start();
  EXPECT_EQ(world.await_idle(1), Keys{"a"});
  EXPECT_TRUE(world.controller().empty());
  EXPECT_TRUE(world.logger().holds("error=no such field terminal=true"));
}

TEST(ControllerRuntime, TheBackoffGrowsUntilASuccess) {
  std::atomic<int> calls = 0;
  ControllerWorld world(with_seconds(), [&](Context&, const std::string&) -> Result<Outcome> {
    const int call = ++calls;
    if (call == 1 || call == 4) return fail(some_error());
    if (call == 2) return Outcome::requeue();
    return Outcome::done();
  });
  world.controller().enqueue_now("a");
  world.start();
  world.await_idle(1);
  world.clock().advance(seconds(1));
  world.await_idle(2);
  world.clock().advance(seconds(1));
  EXPECT_EQ(world.await_idle(2).size(), 2U);
  world.clock().advance(seconds(1));
  world.await_idle(3);  // done: the back-off starts over
  world.controller().enqueue_now("a");
  world.await_idle(4);
  world.clock().advance(seconds(1));
  EXPECT_EQ(world.await_idle(5).size(), 5U);
}

TEST(ControllerRuntime, RequeueAfterComesAtItsTimeAndEndsTheBackoff) {
  std::atomic<int> calls = 0;
  ControllerWorld world(with_seconds(), [&](Context&, const std::string&) -> Result<Outcome> {
    const int call = ++calls;
    if (call == 2) return Outcome::requeue_after(seconds(30));
    if (call < 4) return fail(some_error());
    return Outcome::done();
  });
  world.controller().enqueue_now("a");
  world.start();
  world.await_idle(1);
  world.clock().advance(seconds(1));
  world.await_idle(2);
  world.clock().advance(seconds(30) - Duration(1));
  EXPECT_EQ(world.await_idle(2).size(), 2U);
  world.clock().advance(Duration(1));
  world.await_idle(3);
  world.clock().advance(seconds(1));
  EXPECT_EQ(world.await_idle(4).size(), 4U);
}

TEST(ControllerRuntime, RequeuesAreNotFailuresAndAreNeverGivenUp) {
  std::atomic<int> calls = 0;
  ControllerWorld world(without_waiting(), [&](Context&, const std::string&) {
    return ++calls < 100 ? Outcome::requeue() : Outcome::done();
  });
  world.controller().enqueue("a");
  world.start();
  EXPECT_EQ(world.await_idle(100).size(), 100U);
}

TEST(ControllerRuntime, ThePriorityStaysUnlessWhatFollowsSetsIt) {
  struct Case {
    const char* name;
    Result<Outcome> result;
    std::optional<std::int32_t> of_policy;
    std::int32_t next;
  };
  const Case cases[] = {
      {"failure", fail(some_error()), std::nullopt, 5},
      {"failure, overridden", fail(some_error()), -3, -3},
      {"requeue", Outcome::requeue(), std::nullopt, 5},
      {"requeue, overridden", Outcome{.kind = Outcome::Kind::kRequeue, .priority = 9}, std::nullopt,
       9},
      {"requeue after", Outcome::requeue_after({}), std::nullopt, 5},
      {"requeue after, overridden", Outcome{.kind = Outcome::Kind::kRequeueAfter, .priority = 0},
       std::nullopt, 0},
  };
  for (const Case& each : cases) {
    Options options = without_waiting();
    options.retry_policy = [&](const FailedRun&) {
      return RetryDecision{.retry = true, .priority = each.of_policy};
    };
    std::vector<std::int32_t> priorities;  // the one worker's
    ControllerWorld world(std::move(options),
                          [&](Context& context, const std::string&) -> Result<Outcome> {
                            priorities.push_back(context.priority());
                            return priorities.size() == 1 ? each.result : Outcome::done();
                          });
    world.controller().enqueue_now("a", {.priority = 5});
    world.start();
    world.await_idle(2);
    world.stop();
    EXPECT_EQ(priorities, (std::vector<std::int32_t>{5, each.next})) << each.name;
  }
}

TEST(ControllerRuntime, KeysOfHigherPriorityAreHandledFirst) {
  ControllerWorld world;
  Controller& controller = world.controller();
  controller.enqueue_now("low", {.priority = -100});
  controller.enqueue_now("normal");
  controller.enqueue("high", {.priority = 7});
  controller.enqueue_after("highest", {}, {.priority = 8});
  world.start();
  EXPECT_EQ(world.await_idle(4), (Keys{"highest", "high", "normal", "low"}));
}

}  // namespace
}  // namespace windlass::reconcile

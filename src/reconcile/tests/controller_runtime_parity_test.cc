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

TEST(ControllerRuntime, ThePriorityStaysUnlessTheOutcomeSetsIt) {
  std::vector<std::int32_t> priorities;  // the one worker's
  ControllerWorld world(without_waiting(),
                        [&](Context& context, const std::string&) -> Result<Outcome> {
                          priorities.push_back(context.priority());
                          switch (priorities.size()) {
                            case 1: return Outcome{.kind = Outcome::Kind::kRequeue, .priority = 7};
                            case 2: return fail(some_error());
                            case 3: return Outcome::requeue();
                            case 4: return Outcome::requeue_after({});
                            default: return Outcome::done();
                          }
                        });
  world.controller().enqueue_now("a");
  world.start();
  world.await_idle(5);
  world.stop();
  EXPECT_EQ(priorities, (std::vector<std::int32_t>{0, 7, 7, 7, 7}));
}

}  // namespace
}  // namespace windlass::reconcile

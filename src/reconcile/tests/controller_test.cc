#include "windlass/reconcile/controller.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>

#include "controller_world.h"

namespace windlass::reconcile {
namespace {

using std::chrono::seconds;

TEST(Controller, HandlesWhatIsEnqueuedInOrder) {
  ControllerWorld world;
  world.controller().enqueue_now("a");
  world.controller().enqueue("b");
  world.controller().enqueue_now("a");
  world.start();
  EXPECT_EQ(world.await_idle(2), (Keys{"a", "b"}));
  EXPECT_TRUE(world.controller().empty());
}

TEST(Controller, SizesTellPlannedAndRunning) {
  std::latch handling(1);
  std::latch may_end(1);
  ControllerWorld world(without_waiting(), [&](Context&, const std::string& key) {
    if (key == "a") handling.count_down();
    may_end.wait();
    return Outcome::done();
  });
  Controller& controller = world.controller();
  EXPECT_TRUE(controller.empty());
  controller.enqueue_now("a");
  controller.enqueue_now("b");
  controller.enqueue_after("c", seconds(5));
  EXPECT_EQ(controller.len(), 3U);
  EXPECT_EQ(controller.unprocessed_len(), 3U);
  world.start();
  handling.wait();
  EXPECT_EQ(controller.len(), 3U);
  EXPECT_EQ(controller.unprocessed_len(), 2U);
  EXPECT_EQ(controller.running_len(), 1U);
  controller.enqueue_now("a");
  EXPECT_EQ(controller.unprocessed_len(), 3U);
  EXPECT_EQ(controller.len(), 4U);
  EXPECT_FALSE(controller.empty());
  may_end.count_down();
}

TEST(Controller, RefusesToRunTwiceAndTheFirstRunGoesOn) {
  ControllerWorld world;
  world.start();
  world.await_workers(1);
  const Result<StopReport> refused = world.controller().run({}, 1);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_TRUE(refused.error().message.contains("queue pods is already running"));
  world.controller().enqueue_now("a");
  EXPECT_EQ(world.await_handled(1), Keys{"a"});
  world.stop();
  EXPECT_TRUE(world.ended_well());
}

TEST(Controller, FinishesItsKeyWhenStoppedAndFindsTheOthersInItsNextRun) {
  std::latch handling(1);
  ControllerWorld world(without_waiting(), [&](Context& context, const std::string& key) {
    if (key == "a") {
      std::latch stopped(1);
      const std::stop_callback on_stop(context.stop(), [&] { stopped.count_down(); });
      handling.count_down();
      stopped.wait();
    }
    return Outcome::done();
  });
  for (const char* key : {"a", "b", "c"}) world.controller().enqueue_now(key);
  world.controller().enqueue_after("d", seconds(1));
  world.start();
  handling.wait();
  world.stop();
  EXPECT_EQ(world.await_handled(1), Keys{"a"});
  EXPECT_EQ(world.controller().unprocessed_len(), 3U);
  EXPECT_EQ(world.controller().running_len(), 0U);

  world.start();
  EXPECT_EQ(world.await_idle(3), (Keys{"a", "b", "c"}));
  world.clock().advance(seconds(1));
  EXPECT_EQ(world.await_idle(4), (Keys{"a", "b", "c", "d"}));
}

TEST(Controller, ReturnsAtOnceWhenStoppedBeforehand) {
  ControllerWorld world;
  world.controller().enqueue_now("a");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(world.controller().run(stop.get_token(), 3).has_value());
  EXPECT_EQ(world.controller().unprocessed_len(), 1U);
}

TEST(Controller, AThrowingHandlerIsAFailureThatIsRetried) {
  std::atomic<int> calls = 0;
  ControllerWorld world(without_waiting(), [&](Context&, const std::string&) -> Result<Outcome> {
    const int call = ++calls;
    if (call == 1) throw std::runtime_error("out of cheese");
    if (call == 2) throw 42;
    return Outcome::done();
  });
  world.controller().enqueue_now("a");
  world.start();
  EXPECT_EQ(world.await_idle(3).size(), 3U);
  EXPECT_TRUE(world.logger().holds("the handler threw: out of cheese"));
  EXPECT_TRUE(world.logger().holds("no std::exception"));
}

TEST(Controller, AThrowingHandlerIsAnInternalErrorToTheRetryPolicy) {
  Options options = without_waiting();
  std::atomic<ErrorCode> code = ErrorCode::kInvalid;
  options.retry_policy = [&](const FailedRun& run) {
    code = run.error.code;
    return RetryDecision::give_up();
  };
  ControllerWorld world(std::move(options), [](Context&, const std::string&) -> Result<Outcome> {
    throw std::runtime_error("out of cheese");
  });
  world.controller().enqueue_now("a");
  world.start();
  world.await_idle(1);
  EXPECT_EQ(code, ErrorCode::kInternal);
}

TEST(Controller, TellsTheHandlerItsAttempt) {
  std::atomic<int> attempts = 0;  // as decimal digits
  ControllerWorld world(without_waiting(),
                        [&](Context& context, const std::string&) -> Result<Outcome> {
                          attempts = attempts * 10 + context.attempt();
                          if (context.attempt() < 3) return fail(some_error());
                          return Outcome::done();
                        });
  world.controller().enqueue("a");
  world.start();
  world.await_idle(3);
  world.controller().enqueue("a");
  world.await_idle(6);
  EXPECT_EQ(attempts, 123123);
}

TEST(Controller, TheRunTimeoutBecomesTheDeadline) {
  for (const Duration timeout : {Duration::zero(), Duration(seconds(30))}) {
    Options options = without_waiting();
    options.run_timeout = timeout;
    TimePoint deadline;
    ControllerWorld world(std::move(options), [&](Context& context, const std::string&) {
      deadline = context.deadline();
      return Outcome::done();
    });
    world.controller().enqueue_now("a");
    world.start();
    world.await_idle(1);
    world.stop();
    EXPECT_EQ(deadline,
              timeout > Duration::zero() ? world.clock().now() + timeout : TimePoint::max());
  }
}

TEST(Controller, TheHandlersLinesNameQueueWorkerAndKey) {
  ControllerWorld world(without_waiting(), [](Context& context, const std::string&) {
    context.logger().info("hello", {{"more", true}});
    return Outcome::done();
  });
  world.controller().enqueue_now("ns/a");
  world.start();
  world.await_idle(1);
  EXPECT_TRUE(world.logger().holds("hello queue=pods workerId=0 key=ns/a requeues=0 more=true"));
}

TEST(Controller, EachWorkerHasItsOwnId) {
  constexpr int kWorkers = 4;
  std::latch all(kWorkers);
  ControllerWorld world(without_waiting(), [&](Context& context, const std::string&) {
    context.logger().info("here");
    all.arrive_and_wait();
    return Outcome::done();
  });
  for (int i = 0; i < kWorkers; ++i) world.controller().enqueue_now(std::to_string(i));
  world.start(kWorkers);
  world.await_idle(kWorkers, kWorkers);
  for (int i = 0; i < kWorkers; ++i) {
    EXPECT_TRUE(world.logger().holds("here queue=pods workerId=" + std::to_string(i))) << i;
  }
}

TEST(Controller, ForgetDropsWhatIsPlanned) {
  ControllerWorld world;
  Controller& controller = world.controller();
  controller.forget("unknown");
  controller.enqueue_now("queued");
  controller.enqueue_after("delayed", seconds(1));
  controller.enqueue_now("kept");
  controller.forget("queued");
  controller.forget("delayed");
  EXPECT_EQ(controller.len(), 1U);
  world.start();
  EXPECT_EQ(world.await_idle(1), Keys{"kept"});
  world.clock().advance(seconds(2));
  controller.enqueue_now("last");
  EXPECT_EQ(world.await_idle(2), (Keys{"kept", "last"}));
}

TEST(Controller, ForgetStartsTheBackoffOver) {
  ControllerWorld world(with_seconds(), [](Context&, const std::string&) -> Result<Outcome> {
    return fail(some_error());
  });
  world.controller().enqueue_now("a");
  world.start();
  world.await_idle(1);
  world.clock().advance(seconds(1));
  world.await_idle(2);
  world.controller().forget("a");
  world.controller().enqueue_now("a");
  world.await_idle(3);
  world.clock().advance(seconds(1));
  EXPECT_EQ(world.await_idle(4).size(), 4U);
}

TEST(Controller, WhatIsEnqueuedAfterForgetInARunCounts) {
  ControllerWorld* self = nullptr;
  std::atomic<int> calls = 0;
  ControllerWorld world(with_seconds(), [&](Context&, const std::string& key) -> Result<Outcome> {
    if (++calls > 1) return Outcome::done();
    self->controller().forget(key);
    EXPECT_TRUE(self->controller().enqueue(key));
    return fail(some_error());
  });
  self = &world;
  world.controller().enqueue_now("a");
  world.start();
  EXPECT_EQ(world.await_idle(2).size(), 2U);
  EXPECT_TRUE(world.controller().empty());
}

TEST(Controller, AForgottenKeyStartsOver) {
  std::vector<int> attempts;
  ControllerWorld world(with_seconds(), [&](Context& context, const std::string&) {
    attempts.push_back(context.attempt());
    return Result<Outcome>(fail(some_error()));
  });
  world.start();
  for (std::size_t run = 1; run <= 2; ++run) {
    world.controller().enqueue_now("a");
    world.await_idle(run);
    world.controller().forget("a");
  }
  EXPECT_EQ(attempts, (std::vector<int>{1, 1}));
  EXPECT_EQ(world.controller().stats().retrying, 0U);
}

TEST(Controller, TheReportOfAStopKnowsWhatCameOfAHandlerThatTookLonger) {
  std::latch handling(1);
  std::latch go_on(1);
  Options options = with_seconds();
  options.stop_timeout = std::chrono::seconds(30);
  ControllerWorld world(std::move(options), [&](Context&, const std::string&) {
    handling.count_down();
    go_on.wait();
    return Result<Outcome>(fail(some_error()));
  });
  world.start();
  world.controller().enqueue_now("slow");
  handling.wait();
  std::jthread stopper([&] { world.stop(); });
  // Only the end of the wait is timed, so moving the time until it ends misses nothing.
  while (!world.logger().holds("still handled after the time to stop queue=pods key=slow")) {
    world.clock().advance(std::chrono::seconds(30));
    std::this_thread::yield();
  }
  go_on.count_down();
  stopper.join();
  EXPECT_EQ(world.report().running, Keys{"slow"});
  EXPECT_EQ(world.report().delayed, 1U);
}

}  // namespace
}  // namespace windlass::reconcile

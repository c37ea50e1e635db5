#include <gtest/gtest.h>

#include <deque>
#include <latch>
#include <optional>
#include <stdexcept>
#include <thread>

#include "controller_world.h"
#include "windlass/base/random.h"

namespace windlass::reconcile {
namespace {

using std::chrono::seconds;

// Keeps the runs it is given until the test takes them.
class Held {
 public:
  void add(PendingRun run) {
    MutexLock lock(mutex_);
    runs_.push_back(std::move(run));
    ++given_;
    changed_.notify_all();
  }
  // The oldest one, once there is one.
  PendingRun take() {
    MutexLock lock(mutex_);
    system_clock().wait(mutex_, changed_, {}, [this] {
      mutex_.assert_held();
      return !runs_.empty();
    });
    PendingRun run = std::move(runs_.front());
    runs_.pop_front();
    return run;
  }
  std::size_t given() const {
    MutexLock lock(mutex_);
    return given_;
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<PendingRun> runs_ GUARDED_BY(mutex_);
  std::size_t given_ GUARDED_BY(mutex_) = 0;
};

class AsyncControllerTest : public testing::Test {
 protected:
  void make(Options options = without_waiting()) {
    controller_.emplace(
        clock_, "pods", std::move(options), [this](PendingRun run) { held_.add(std::move(run)); },
        Telemetry{.logger = logger_, .tracer = tracer_});
  }
  void start(int workers = 1) {
    runner_ = std::jthread([this, workers](const std::stop_token& stop) {
      report_ = controller_->run(stop, workers).value();
    });
  }
  StopReport stop() {
    runner_.request_stop();
    runner_.join();
    return report_;
  }

  FakeClock clock_;
  telemetry::RecordingLogger logger_;
  telemetry::RecordingSpans spans_;
  telemetry::Tracer tracer_{clock_, spans_, {.id_seed = 1}};
  Held held_;
  std::optional<Controller> controller_;
  StopReport report_;
  std::jthread runner_;
};

TEST_F(AsyncControllerTest, OneWorkerHandlesManyKeysAtATime) {
  make();
  start();
  for (const char* key : {"a", "b", "c"}) controller_->enqueue_now(key);
  PendingRun a = held_.take();
  PendingRun b = held_.take();
  PendingRun c = held_.take();
  EXPECT_EQ(a.key(), "a");
  EXPECT_EQ(c.key(), "c");
  EXPECT_EQ(controller_->running_len(), 3U);
  EXPECT_EQ(controller_->stats().handling_max, 3U);
  c.finish(Outcome::done());
  std::jthread([&a] { a.finish(Outcome::done()); }).join();
  b.finish(Outcome::done());
  EXPECT_TRUE(controller_->empty());
  EXPECT_EQ(controller_->stats().done, 3U);
}

TEST_F(AsyncControllerTest, AKeyIsNotGivenOutTwiceAtATime) {
  make();
  start();
  controller_->enqueue_now("a");
  PendingRun first = held_.take();
  controller_->enqueue_now("a");
  controller_->enqueue_now("b");
  PendingRun other = held_.take();
  EXPECT_EQ(other.key(), "b");
  first.finish(Outcome::done());
  PendingRun again = held_.take();
  EXPECT_EQ(again.key(), "a");
  again.finish(Outcome::done());
  other.finish(Outcome::done());
}

TEST_F(AsyncControllerTest, NoMoreKeysAtATimeThanAllowed) {
  Options options = without_waiting();
  options.max_in_flight = 2;
  make(std::move(options));
  start(3);
  for (const char* key : {"a", "b", "c"}) controller_->enqueue_now(key);
  PendingRun a = held_.take();
  PendingRun b = held_.take();
  clock_.await_sleepers(4);  // all workers, and run()
  EXPECT_EQ(held_.given(), 2U);
  a.finish(Outcome::done());
  PendingRun c = held_.take();
  b.finish(Outcome::done());
  c.finish(Outcome::done());
}

TEST_F(AsyncControllerTest, AFailureIsRetried) {
  make();
  start();
  controller_->enqueue_now("a");
  held_.take().finish(fail(some_error()));
  PendingRun again = held_.take();
  EXPECT_EQ(again.context().attempt(), 2);
  again.finish(Outcome::done());
  EXPECT_EQ(controller_->stats().retried, 1U);
}

TEST_F(AsyncControllerTest, ARunThatIsLetGoHasFailed) {
  make();
  start();
  controller_->enqueue_now("a");
  {
    const PendingRun dropped = held_.take();
  }
  held_.take().finish(Outcome::done());
  EXPECT_EQ(controller_->stats().threw, 1U);
  EXPECT_TRUE(logger_.holds("the handler let its run go without finishing it"));
}

// Runs a controller with `handler` until each of its keys is done or given up.
void run_to_the_end(Controller& controller) {
  std::jthread runner(
      [&](const std::stop_token& stop) { EXPECT_TRUE(controller.run(stop, 1).has_value()); });
  while (!controller.empty()) std::this_thread::yield();
}

TEST(AsyncController, WhatAHandlerThrowsIsWhatItsRunFailedWith) {
  FakeClock clock;
  telemetry::RecordingLogger logger;
  std::vector<std::string> seen;
  Options options = without_waiting();
  options.retry_policy = [&seen](const FailedRun& failed) {
    seen.push_back(failed.error.message);
    return failed.tries < 2 ? RetryDecision::with_backoff() : RetryDecision::give_up();
  };
  Controller controller(
      clock, "pods", std::move(options),
      [](const PendingRun& run) {
        if (run.context().attempt() == 1) throw std::runtime_error("out of cheese");
        throw 5;
      },
      Telemetry{.logger = logger});
  controller.enqueue_now("a");
  run_to_the_end(controller);
  EXPECT_EQ(seen, (Keys{"the handler threw: out of cheese",
                        "the handler threw something that is no std::exception"}));
  EXPECT_TRUE(
      logger.holds("due to failed sync queue=pods workerId=0 key=a requeues=0 "
                   "error=the handler threw: out of cheese"));
  EXPECT_TRUE(
      logger.holds("workerId=0 key=a requeues=1 error=forgetting \"a\" due to maximum "
                   "retries reached: the handler threw something"));
  EXPECT_EQ(controller.stats().threw, 2U);
}

TEST(AsyncController, AHandlerThatThrowsWhenItsRunIsElsewhereIsCountedAndNamed) {
  for (const bool finishes : {false, true}) {
    FakeClock clock;
    telemetry::RecordingLogger logger;
    Held held;
    Controller controller(
        clock, "pods", without_waiting(),
        [&](PendingRun run) {
          if (finishes) {
            run.finish(Outcome::done());
          } else {
            held.add(std::move(run));
          }
          throw std::runtime_error("out of cheese");
        },
        Telemetry{.logger = logger});
    controller.enqueue_now("a");
    std::jthread finisher([&] {
      if (!finishes) held.take().finish(Outcome::done());
    });
    run_to_the_end(controller);
    EXPECT_TRUE(
        logger.holds("error the handler threw after it had passed its run on queue=pods "
                     "workerId=0 key=a error=the handler threw: out of cheese"));
    EXPECT_EQ(controller.stats().threw, 1U);
    EXPECT_EQ(controller.stats().done, 1U);
  }
}

TEST(AsyncController, ARunThatItsHandlerDropsHasFailed) {
  FakeClock clock;
  std::vector<std::string> seen;
  Options options = without_waiting();
  options.retry_policy = [&seen](const FailedRun& failed) {
    seen.push_back(failed.error.message);
    return RetryDecision::give_up();
  };
  Controller controller(clock, "pods", std::move(options), AsyncHandler([](const PendingRun&) {}));
  controller.enqueue_now("a");
  run_to_the_end(controller);
  EXPECT_EQ(seen, Keys{"the handler let its run go without finishing it"});
  EXPECT_EQ(controller.stats().threw, 1U);
}

// The worker waits until another run may begin, and not for a key.
TEST_F(AsyncControllerTest, StoppingWakesAWorkerThatMayBeginNoRun) {
  Options options = without_waiting();
  options.max_in_flight = 1;
  options.stop_timeout = Duration::zero();
  make(std::move(options));
  start();
  controller_->enqueue_now("stuck");
  PendingRun run = held_.take();
  controller_->enqueue_now("left");
  clock_.await_sleepers(2);
  const StopReport report = stop();
  EXPECT_EQ(report.running, Keys{"stuck"});
  EXPECT_EQ(report.ready, 1U);
  run.finish(Outcome::done());
}

TEST_F(AsyncControllerTest, ARunWhoseTimeIsOverIsToldToStop) {
  Options options = without_waiting();
  options.run_timeout = seconds(5);
  make(std::move(options));
  start();
  controller_->enqueue_now("a");
  PendingRun run = held_.take();
  std::latch stopped(1);
  const std::stop_callback on_stop(run.context().stop(), [&] { stopped.count_down(); });
  EXPECT_EQ(run.context().deadline(), clock_.now() + seconds(5));
  clock_.advance(seconds(4));
  EXPECT_FALSE(run.context().stop().stop_requested());
  clock_.advance(seconds(1));
  stopped.wait();
  run.finish(fail(some_error()));
  EXPECT_EQ(controller_->stats().timed_out, 1U);
  held_.take().finish(Outcome::done());
}

TEST_F(AsyncControllerTest, StoppingTellsTheRunsAndWaitsForThem) {
  make();
  start();
  controller_->enqueue_now("a");
  controller_->enqueue_after("later", seconds(60));
  PendingRun run = held_.take();
  std::jthread finisher([&run] {
    std::latch stopped(1);
    const std::stop_callback on_stop(run.context().stop(), [&] { stopped.count_down(); });
    stopped.wait();
    run.finish(Outcome::done());
  });
  const StopReport report = stop();
  finisher.join();
  EXPECT_TRUE(report.running.empty());
  EXPECT_EQ(report.ready, 0U);
  EXPECT_EQ(report.delayed, 1U);
  EXPECT_EQ(controller_->stats().done, 1U);
}

TEST_F(AsyncControllerTest, StoppingReportsWhatIsStillHandledAfterItsTime) {
  Options options = without_waiting();
  options.stop_timeout = seconds(30);
  make(std::move(options));
  start(2);
  controller_->enqueue_now("stuck");
  PendingRun run = held_.take();
  runner_.request_stop();
  std::latch told(1);
  const std::stop_callback on_stop(run.context().stop(), [&] { told.count_down(); });
  told.wait();
  controller_->enqueue_now("left");
  // Only the end of the wait is timed, so moving the time until it ends misses nothing.
  while (!logger_.holds("still handled after the time to stop queue=pods key=stuck")) {
    clock_.advance(seconds(30));
    std::this_thread::yield();
  }
  const StopReport report = stop();
  EXPECT_EQ(report.running, Keys{"stuck"});
  EXPECT_EQ(report.ready, 1U);

  run.finish(fail(some_error()));
  EXPECT_EQ(controller_->unprocessed_len(), 2U);
  start();
  PendingRun left = held_.take();
  PendingRun stuck = held_.take();
  EXPECT_EQ(left.key(), "left");
  EXPECT_EQ(stuck.key(), "stuck");
  left.finish(Outcome::done());
  stuck.finish(Outcome::done());
}

TEST_F(AsyncControllerTest, TheSpansOfARunEndWhereItIsFinished) {
  make();
  start();
  controller_->enqueue_now("a");
  PendingRun run = held_.take();
  std::jthread([&run] {
    run.context().start_span("fetch").end();
    run.finish(fail(some_error("no route")));
  }).join();
  const telemetry::SpanData fetch = spans_.only("fetch");
  const telemetry::SpanData handled = spans_.only("handleQueueItemObject");
  const telemetry::SpanData taken = spans_.only("handleQueueItem");
  EXPECT_EQ(fetch.parent, handled.context.span_id);
  EXPECT_EQ(handled.parent, taken.context.span_id);
  EXPECT_EQ(handled.status, telemetry::SpanStatus::kError);
  held_.take().finish(Outcome::done());
}

// Goal: no order of finishing, enqueueing and forgetting loses a key or runs it twice at a time.
TEST(AsyncControllerStress, EveryKeyEndsWellWhoeverFinishesIt) {
  constexpr std::uint64_t kKeys = 32;
  Held held;
  Controller controller(system_clock(), "stress", without_waiting(),
                        [&held](PendingRun run) { held.add(std::move(run)); });
  std::jthread runner(
      [&](const std::stop_token& stop) { EXPECT_TRUE(controller.run(stop, 2).has_value()); });
  std::vector<std::jthread> finishers;
  finishers.reserve(2);
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    finishers.emplace_back([&held, seed] {
      Random random(seed);
      for (;;) {
        PendingRun run = held.take();
        if (run.key() == "end") return run.finish(Outcome::done());
        if (random.next() % 4 == 0) {
          run.finish(fail(some_error()));
        } else {
          run.finish(random.next() % 8 == 0 ? Outcome::requeue() : Outcome::done());
        }
      }
    });
  }
  Random random(99);
  for (int i = 0; i < 3000; ++i) {
    const std::string key = std::to_string(random.next() % kKeys);
    if (random.next() % 16 == 0) controller.forget(key);
    controller.enqueue_now(key);
  }
  for (std::size_t ended = 0; ended < finishers.size(); ++ended) {
    controller.enqueue_now("end");
    while (controller.len() > 0) std::this_thread::yield();
  }
  finishers.clear();
  runner.request_stop();
  runner.join();
  EXPECT_TRUE(controller.empty());
  EXPECT_EQ(controller.stats().retrying, 0U);
  EXPECT_EQ(controller.stats().handling_now, 0U);
}

}  // namespace
}  // namespace windlass::reconcile

// What a controller says of itself: spans, log lines and metrics, name by name.
#include <gtest/gtest.h>

#include <latch>
#include <stdexcept>

#include "controller_world.h"
#include "windlass/telemetry/testing/metric_values.h"

namespace windlass::reconcile {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using telemetry::field_text;
using telemetry::SpanData;
using telemetry::SpanStatus;

Result<Outcome> fail_once(Context& context, const std::string&) {
  if (context.attempt() == 1) return fail(some_error("no route"));
  return Outcome::done();
}

TEST(ControllerSpans, TheHandlersSpanIsInsideThatOfItsWorkersWait) {
  ControllerWorld world(without_waiting(), [](Context& context, const std::string&) {
    context.span().set({"pods", 3});
    context.start_span("list pods").end();
    return Outcome::done();
  });
  world.start();
  world.await_workers(1);
  world.clock().advance(seconds(5));
  world.controller().enqueue_now("ns/a");
  world.await_idle(1);

  const SpanData list = world.spans().only("list pods");
  const SpanData handled = world.spans().only("handleQueueItemObject");
  const SpanData taken = world.spans().only("handleQueueItem");
  EXPECT_EQ(list.parent, handled.context.span_id);
  EXPECT_EQ(handled.parent, taken.context.span_id);
  EXPECT_FALSE(taken.parent.valid());
  EXPECT_EQ(taken.duration, seconds(5));
  EXPECT_EQ(handled.duration, Duration::zero());
  EXPECT_EQ(field_text(handled, "pods"), "3");
  for (const SpanData& span : {handled, taken}) {
    EXPECT_EQ(field_text(span, "queue"), "pods");
    EXPECT_EQ(field_text(span, "workerId"), "0");
    EXPECT_EQ(field_text(span, "key"), "ns/a");
    EXPECT_EQ(span.status, SpanStatus::kUnset);
  }
}

TEST(ControllerSpans, TellOfEachTryWhenItWasAskedForAndWhy) {
  ControllerWorld world(with_seconds(), fail_once);
  world.controller().enqueue_after("a", seconds(2));
  world.start();
  world.await_workers(1);
  world.clock().advance(seconds(2));
  world.await_idle(1);
  world.clock().advance(seconds(1));
  world.await_idle(2);

  const std::vector<SpanData> tries = world.spans().named("handleQueueItemObject");
  ASSERT_EQ(tries.size(), 2U);
  EXPECT_EQ(field_text(tries[0], "requeues"), "0");
  EXPECT_EQ(field_text(tries[0], "originallyAdded"), "2026-01-02T03:04:07.000000Z");
  EXPECT_EQ(field_text(tries[0], "plannedForWork"), "2026-01-02T03:04:07.000000Z");
  EXPECT_EQ(field_text(tries[0], "addedViaRedirty"), "false");
  EXPECT_EQ(field_text(tries[0], "delayedViaRateLimit"), std::nullopt);
  EXPECT_EQ(field_text(tries[0], "error"), "no route");
  EXPECT_EQ(tries[0].status, SpanStatus::kError);

  EXPECT_EQ(field_text(tries[1], "requeues"), "1");
  EXPECT_EQ(field_text(tries[1], "originallyAdded"), "2026-01-02T03:04:07.000000Z");
  EXPECT_EQ(field_text(tries[1], "plannedForWork"), "2026-01-02T03:04:08.000000Z");
  EXPECT_EQ(field_text(tries[1], "delayedViaRateLimit"), "1 s");
  EXPECT_EQ(field_text(tries[1], "error"), std::nullopt);
  EXPECT_EQ(tries[1].status, SpanStatus::kUnset);

  // A retry is no failure of the queue's: only giving up is.
  EXPECT_EQ(world.spans().named("handleQueueItem")[0].status, SpanStatus::kUnset);
}

TEST(ControllerSpans, AKeyThatIsGivenUpFailsTheSpanOfTheQueueToo) {
  for (const bool terminal : {false, true}) {
    Options options = without_waiting();
    options.max_retries = 0;
    ControllerWorld world(std::move(options), [&](Context&, const std::string&) -> Result<Outcome> {
      if (terminal) return Outcome::terminal(some_error("no route"));
      return fail(some_error("no route"));
    });
    world.controller().enqueue_now("a");
    world.start();
    world.await_idle(1);
    const SpanData taken = world.spans().only("handleQueueItem");
    EXPECT_EQ(taken.status, SpanStatus::kError);
    EXPECT_EQ(taken.status_message,
              terminal ? "no route" : "forgetting \"a\" due to maximum retries reached: no route");
    EXPECT_EQ(field_text(world.spans().only("handleQueueItemObject"), "error"), "no route");
  }
}

TEST(ControllerSpans, ARunAskedForDuringTheLastOneSaysSo) {
  ControllerWorld* self = nullptr;
  ControllerWorld world(without_waiting(), [&](Context& context, const std::string& key) {
    if (context.span().recording() && self->controller().stats().done == 0) {
      self->controller().enqueue_now(key);
    }
    return Outcome::done();
  });
  self = &world;
  world.controller().enqueue_now("a");
  world.start();
  world.await_idle(2);
  const std::vector<SpanData> runs = world.spans().named("handleQueueItemObject");
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(field_text(runs[0], "addedViaRedirty"), "false");
  EXPECT_EQ(field_text(runs[1], "addedViaRedirty"), "true");
}

TEST(ControllerSpans, EnqueueingAndForgettingSayWhatTheyMet) {
  ControllerWorld* self = nullptr;
  Options options = without_waiting();
  options.keys_max = 2;
  ControllerWorld world(std::move(options), [&](Context&, const std::string& key) {
    self->controller().enqueue(key);
    self->controller().forget(key);
    return Outcome::done();
  });
  self = &world;
  Controller& controller = world.controller();
  controller.enqueue_after("later", milliseconds(1500));
  controller.enqueue_now("a");
  controller.enqueue_now("b");
  controller.forget("later");
  controller.forget("later");
  world.start();
  world.await_idle(1);

  const std::vector<SpanData> inserts = world.spans().named("insert");
  const std::vector<SpanData> forgets = world.spans().named("Forget");
  ASSERT_EQ(inserts.size(), 4U);
  ASSERT_EQ(forgets.size(), 3U);
  EXPECT_EQ(field_text(inserts[0], "delay"), "1.5 s");
  EXPECT_EQ(field_text(inserts[0], "ratelimit"), "false");
  EXPECT_EQ(field_text(inserts[1], "delay"), "nil");
  EXPECT_EQ(field_text(inserts[3], "ratelimit"), "true");
  const char* const insert_status[] = {"added", "added", "refused", "itemsBeingProcessed"};
  const char* const forget_status[] = {"itemInQueue", "notfound", "itemBeingProcessed"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(field_text(inserts[i], "status"), insert_status[i]) << i;
    EXPECT_EQ(field_text(inserts[i], "queue"), "pods") << i;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(field_text(forgets[i], "status"), forget_status[i]) << i;
  }
}

TEST(ControllerSpans, EnqueueingAndForgettingBelongToWhoAsks) {
  ControllerWorld* self = nullptr;
  ControllerWorld world(without_waiting(), [&](Context& context, const std::string& key) {
    if (key == "a") {
      const telemetry::SpanContext& here = context.span().context();
      self->controller().enqueue("b", {}, here);
      self->controller().enqueue_now("c", {}, here);
      self->controller().enqueue_after("d", seconds(5), {}, here);
      self->controller().forget("d", here);
    }
    return Outcome::done();
  });
  self = &world;
  world.controller().enqueue_now("a");
  world.start();
  world.await_idle(3);
  const SpanData first = world.spans().named("handleQueueItemObject").front();
  const std::vector<SpanData> inserts = world.spans().named("insert");
  ASSERT_EQ(inserts.size(), 4U);
  EXPECT_FALSE(inserts[0].parent.valid());
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(inserts[i].parent, first.context.span_id) << i;
    EXPECT_EQ(inserts[i].context.trace_id, first.context.trace_id) << i;
  }
  EXPECT_EQ(world.spans().only("Forget").parent, first.context.span_id);
}

TEST(ControllerLogs, TellEachStepOfAKey) {
  Options options = without_waiting();
  options.max_retries = 1;
  ControllerWorld world(std::move(options), [](Context& context, const std::string& key) {
    return key == "bad" ? Result<Outcome>(fail(some_error("no route"))) : fail_once(context, key);
  });
  world.controller().enqueue_now("good");
  world.start();
  world.await_idle(2);
  world.controller().enqueue("bad");
  world.await_idle(3);
  const std::vector<std::string> expected = {
      "debug Got Queue object queue=pods workerId=0 key=good requeues=0",
      R"(warning requeuing "good" due to failed sync queue=pods workerId=0 key=good requeues=0)"
      " error=no route tries=1",
      "debug Got Queue object queue=pods workerId=0 key=good requeues=1",
      "debug Processed Queue item queue=pods workerId=0 key=good requeues=1",
      "debug Got Queue object queue=pods workerId=0 key=bad requeues=0",
      "error Error processing Queue item queue=pods workerId=0 key=bad requeues=0"
      " error=forgetting \"bad\" due to maximum retries reached: no route terminal=false",
  };
  EXPECT_EQ(world.logger().lines(), expected);
}

TEST(ControllerMetrics, CountRunsByWhatCameOfThem) {
  struct Case {
    const char* result;
    Handler handler;
  };
  const Case cases[] = {
      {"success", [](Context&, const std::string&) { return Outcome::done(); }},
      {"error",
       [](Context&, const std::string&) { return Outcome::terminal(some_error("no route")); }},
      {"requeue", [](Context&, const std::string&) { return Outcome::requeue(); }},
      {"requeue_after",
       [](Context&, const std::string&) { return Outcome::requeue_after(seconds(1)); }},
  };
  for (const Case& each : cases) {
    ControllerWorld world(with_seconds(), each.handler);
    world.controller().enqueue_now("a");
    world.start();
    world.await_idle(1);
    for (const char* result : {"success", "error", "requeue", "requeue_after", "forgotten"}) {
      EXPECT_EQ(telemetry::metric_value(world.metrics(), "reconcile_total",
                                        {{"controller", "pods"}, {"result", result}}),
                std::string_view(result) == each.result ? 1 : 0)
          << each.result << " counted as " << result;
    }
  }
}

TEST(ControllerMetrics, CountErrorsPanicsAndTimeouts) {
  Options options = without_waiting();
  options.max_retries = 2;
  options.run_timeout = seconds(3);
  std::latch handling(1);
  ControllerWorld world(std::move(options), [&](Context& context, const std::string& key) {
    if (key == "terminal") return Result<Outcome>(Outcome::terminal(some_error()));
    if (context.attempt() == 2) throw std::runtime_error("out of cheese");
    std::latch stopped(1);
    const std::stop_callback on_stop(context.stop(), [&] { stopped.count_down(); });
    if (context.attempt() == 1) {
      handling.count_down();
      stopped.wait();
    }
    return Result<Outcome>(fail(some_error()));
  });
  world.start();
  world.controller().enqueue_now("bad");
  handling.wait();
  const telemetry::Labels pods = {{"controller", "pods"}};
  const auto value = [&](const char* name) {
    return telemetry::metric_value(world.metrics(), name, pods);
  };
  EXPECT_EQ(value("reconcile_active_workers"), 1);
  EXPECT_EQ(value("reconcile_max_workers"), 1);
  world.clock().advance(seconds(3));
  world.await_idle(3);
  world.controller().enqueue_now("terminal");
  world.await_idle(4);
  EXPECT_EQ(value("reconcile_errors_total"), 4);
  EXPECT_EQ(value("reconcile_terminal_errors_total"), 1);
  EXPECT_EQ(value("reconcile_given_up_total"), 1);
  EXPECT_EQ(value("reconcile_panics_total"), 1);
  EXPECT_EQ(value("reconcile_timeouts_total"), 1);
  EXPECT_EQ(value("reconcile_refused_total"), 0);
  EXPECT_EQ(value("reconcile_active_workers"), 0);
  const auto times = telemetry::histogram_value(world.metrics(), "reconcile_time_seconds", pods);
  ASSERT_TRUE(times.has_value());
  EXPECT_EQ(times->sum, 3);
  EXPECT_EQ(telemetry::observations(world.metrics(), "reconcile_time_seconds", pods), 4U);
  world.stop();
  EXPECT_EQ(value("reconcile_max_workers"), 0);
}

TEST(ControllerMetrics, ThoseOfTheQueueHaveClientGosNamesAndSeconds) {
  ControllerWorld world;
  world.controller().enqueue_now("a");
  world.controller().enqueue_now("b");
  world.controller().enqueue_after("c", seconds(60));
  const telemetry::Labels pods = {{"name", "pods"}};
  EXPECT_EQ(telemetry::metric_value(world.metrics(), "workqueue_depth", pods), 2);
  EXPECT_EQ(telemetry::metric_value(world.metrics(), "workqueue_retries_total", pods), 1);
  world.clock().advance(milliseconds(20));
  world.start();
  world.await_idle(2);
  EXPECT_EQ(telemetry::metric_value(world.metrics(), "workqueue_depth", pods), 0);
  EXPECT_EQ(telemetry::metric_value(world.metrics(), "workqueue_adds_total", pods), 2);
  const auto waited =
      telemetry::histogram_value(world.metrics(), "workqueue_queue_duration_seconds", pods);
  ASSERT_TRUE(waited.has_value());
  EXPECT_DOUBLE_EQ(waited->sum, 0.04);
  EXPECT_DOUBLE_EQ(waited->bounds.front(), 1e-8);
  EXPECT_DOUBLE_EQ(waited->bounds.back(), 1e3);
  EXPECT_EQ(waited->counts[7], 2U);  // up to 100 ms
}

TEST(ControllerMetrics, EndWithTheController) {
  telemetry::Metrics metrics;
  FakeClock clock;
  {
    const Controller controller(clock, "pods", {}, Handler(fail_once), {.metrics = metrics});
    EXPECT_TRUE(telemetry::metric_value(metrics, "workqueue_depth", {{"name", "pods"}}));
  }
  EXPECT_FALSE(telemetry::metric_value(metrics, "workqueue_depth", {{"name", "pods"}}));
}

}  // namespace
}  // namespace windlass::reconcile

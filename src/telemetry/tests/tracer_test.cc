#include "windlass/telemetry/tracer.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "windlass/base/testing/fake_clock.h"
#include "windlass/telemetry/testing/recording_spans.h"

namespace windlass::telemetry {
namespace {

using namespace std::chrono_literals;

struct World {
  explicit World(Tracer::Options options = {}) : tracer(clock, spans, options) {}

  FakeClock clock;
  RecordingSpans spans;
  Tracer tracer;
};

TEST(Tracer, RecordsNameTimesFieldsStatusAndEvents) {
  World world;
  const WallTime start = world.clock.wall_now();
  Span span = world.tracer.start(SpanKind::kClient, "fetch", kNoParent, {{"queue", "pods"}});
  world.clock.advance(1s);
  span.add_event("retrying", {{"attempt", 2}});
  world.clock.advance(1s);
  span.set({"queue", "nodes"});
  span.set({"requeues", 3});
  span.set_error({.code = ErrorCode::kTimedOut, .message = "timed out"});
  span.end();
  span.end();

  const SpanData data = world.spans.only("fetch");
  EXPECT_EQ(data.kind, SpanKind::kClient);
  EXPECT_EQ(data.start, start);
  EXPECT_EQ(data.duration, 2s);
  EXPECT_EQ(data.status, SpanStatus::kError);
  EXPECT_EQ(data.status_message, "timed out");
  EXPECT_EQ(field_text(data, "queue"), "nodes");
  EXPECT_EQ(field_text(data, "requeues"), "3");
  EXPECT_EQ(field_text(data, "error.type"), "timed-out");
  ASSERT_EQ(data.events.size(), 1U);
  EXPECT_EQ(data.events[0].time, start + 1s);
  EXPECT_FALSE(data.parent.valid());
  EXPECT_TRUE(data.context.valid());
}

TEST(Tracer, AParentIsRightOnAnotherThreadAndAfterItsEnd) {
  World world;
  Span parent = world.tracer.start("parent");
  std::jthread([&, context = parent.context()] {
    Span travelling = world.tracer.start("child", context);
    std::jthread([span = std::move(travelling)]() mutable { span.set_ok(); }).join();
  }).join();
  const SpanContext context = parent.context();
  parent.end();
  world.tracer.start("late child", context).end();

  for (const char* name : {"child", "late child"}) {
    const SpanData child = world.spans.only(name);
    EXPECT_EQ(child.parent, context.span_id) << name;
    EXPECT_EQ(child.context.trace_id, context.trace_id) << name;
    EXPECT_NE(child.context.span_id, context.span_id) << name;
  }
  EXPECT_EQ(world.spans.only("child").status, SpanStatus::kOk);
}

TEST(Tracer, AssigningToASpanEndsIt) {
  World world;
  Span span = world.tracer.start("first");
  span = world.tracer.start("second");
  EXPECT_EQ(world.spans.spans().size(), 1U);
  span = Span();
  EXPECT_EQ(world.spans.spans().size(), 2U);
}

TEST(Tracer, FollowsARemoteParentsDecisionAndKeepsItsState) {
  World world;
  auto parent =
      *parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00", "a=b");
  Span child = world.tracer.start("child", parent);
  EXPECT_FALSE(child.recording());
  EXPECT_EQ(child.context().trace_id, parent.trace_id);
  EXPECT_FALSE(child.context().sampled);
  EXPECT_EQ(child.context().trace_state, "a=b");
  EXPECT_FALSE(world.tracer.start("grandchild", child.context()).recording());
  parent.sampled = true;
  EXPECT_TRUE(world.tracer.start("child", parent).recording());
}

TEST(Tracer, SamplesTheRatioAsked) {
  World none({.sampling = {.ratio = 0}});
  World quarter({.sampling = {.ratio = 0.25}});
  World own_mind({.sampling = {.ratio = 0, .parent_based = false}});
  int recorded = 0;
  for (int i = 0; i < 4000; ++i) {
    if (quarter.tracer.start("x").recording()) ++recorded;
    ASSERT_FALSE(none.tracer.start("x").recording());
  }
  // The ids come from a fixed seed: this is the same number in each run.
  EXPECT_GT(recorded, 800);
  EXPECT_LT(recorded, 1200);
  EXPECT_FALSE(
      own_mind.tracer
          .start("x", *parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
          .recording());
}

TEST(Tracer, IdsOfManyThreadsAreDistinct) {
  World world;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < 500; ++n) world.tracer.start("x").end();
      });
    }
  }
  std::set<std::string> ids;
  for (const SpanData& span : world.spans.spans()) {
    ids.insert(span.context.trace_id.to_hex());
    ids.insert(span.context.span_id.to_hex());
  }
  EXPECT_EQ(ids.size(), 4000U);
}

TEST(Tracer, KeepsToItsBounds) {
  World world({.fields_max = 2, .event_fields_max = 1, .events_max = 1, .text_bytes_max = 4});
  Span span = world.tracer.start("x", kNoParent, {{"a", "123456"}, {"b", 1}, {"c", 1}});
  span.add_event("one", {{"a", 1}, {"b", 1}});
  span.add_event("two");
  span.end();
  const SpanData data = world.spans.only("x");
  EXPECT_EQ(field_text(data, "a"), "1234");
  EXPECT_EQ(data.dropped_fields, 2U);  // one of the span's and one of the event's
  EXPECT_EQ(data.events.size(), 1U);
  EXPECT_EQ(data.events[0].fields.size(), 1U);
  EXPECT_EQ(data.dropped_events, 1U);
}

TEST(Tracer, LinksOtherSpansOnceAndNeverTheParent) {
  World world({.links_max = 2});
  const Span parent = world.tracer.start("parent");
  const Span one = world.tracer.start("one");
  const Span two = world.tracer.start("two");
  const Span three = world.tracer.start("three");
  Span span = world.tracer.start("x", parent.context());
  for (const Span* other : {&parent, &one, &one, &two, &one, &three})
    span.add_link(other->context());
  span.add_link({});
  span.end();
  const SpanData data = world.spans.only("x");
  EXPECT_EQ(data.links, (std::vector{one.context(), two.context()}));
  EXPECT_EQ(data.dropped_links, 1U);
}

TEST(Tracer, NullTracerGivesNoContext) {
  EXPECT_FALSE(null_tracer().enabled());
  EXPECT_FALSE(null_tracer().start("x").context().valid());
}

}  // namespace
}  // namespace windlass::telemetry

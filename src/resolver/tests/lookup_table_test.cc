// The spans of lookups; the rest of LookupTable is tested through ResolverCore.
#include "lookup_table.h"

#include <gtest/gtest.h>

#include "core_world.h"
#include "windlass/base/testing/fake_clock.h"
#include "windlass/telemetry/testing/recording_spans.h"

namespace windlass::resolver {
namespace {

using telemetry::field_text;
using telemetry::Span;
using telemetry::SpanData;
using telemetry::SpanStatus;

class LookupSpansTest : public testing::Test {
 protected:
  // As the shell does: hands out the spans that have ended.
  std::vector<SpanData> ended() {
    world_.settle();
    return spans_.named("resolve image");
  }

  static ResolveOptions part_of(const Span& span) {
    ResolveOptions options;
    options.span = span.context();
    return options;
  }

  FakeClock clock_;
  telemetry::RecordingSpans spans_;
  telemetry::Tracer tracer_{clock_, spans_, {.id_seed = 1}};
  CoreWorld world_{core_options(), tracer_};
};

TEST_F(LookupSpansTest, OneForAllOwnersChildOfTheFirstAndLinkedToTheOthers) {
  Span first = tracer_.start("reconcile");
  Span second = tracer_.start("reconcile");
  world_.resolve("a", {"app", "app"}, part_of(first));
  world_.resolve("b", {"app"}, part_of(second));
  world_.resolve("c", {"app"});
  EXPECT_TRUE(ended().empty());
  world_.succeed("app");
  ASSERT_EQ(ended().size(), 1U);
  const SpanData span = ended().front();
  EXPECT_EQ(span.parent, first.context().span_id);
  EXPECT_EQ(span.links, std::vector{second.context()});
  EXPECT_EQ(span.status, SpanStatus::kOk);
  EXPECT_EQ(field_text(span, "image"), "docker.io/library/app:latest");
  EXPECT_EQ(field_text(span, "registry"), "docker.io");
  EXPECT_EQ(field_text(span, "tries"), "1");
  EXPECT_EQ(field_text(span, "digest"), digest_for("docker.io/library/app:latest").to_string());
}

TEST_F(LookupSpansTest, AnotherSpanIsNoNewEpoch) {
  Span first = tracer_.start("reconcile");
  Span second = tracer_.start("reconcile");
  world_.resolve("a", {"app"}, part_of(first));
  world_.succeed("app");
  EXPECT_TRUE(world_.resolve("a", {"app"}, part_of(second)).has_value());
}

TEST_F(LookupSpansTest, TriesAndFailuresAreEvents) {
  world_.resolve("a", {"app"});
  world_.fail("app", ErrorCode::kUnavailable);
  EXPECT_TRUE(ended().empty());
  world_.advance(std::chrono::seconds(2));
  world_.fail("app", ErrorCode::kNotFound);
  ASSERT_EQ(ended().size(), 1U);
  const SpanData span = ended().front();
  std::vector<std::string> events;
  for (const telemetry::SpanEvent& event : span.events) events.push_back(event.name);
  EXPECT_EQ(events, (std::vector<std::string>{"try", "failed", "try", "failed"}));
  EXPECT_EQ(span.status, SpanStatus::kError);
  EXPECT_EQ(field_text(span, "error.type"), "not-found");
}

TEST_F(LookupSpansTest, OneThatEverybodyLeftEndsAsAbandoned) {
  world_.resolve("a", {"app"});
  world_.forget("a");
  ASSERT_EQ(ended().size(), 1U);
  EXPECT_EQ(field_text(ended().front(), "abandoned"), "true");
  EXPECT_EQ(ended().front().status, SpanStatus::kUnset);
}

}  // namespace
}  // namespace windlass::resolver

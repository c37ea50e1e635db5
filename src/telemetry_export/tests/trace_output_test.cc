#include "windlass/telemetry_export/trace_output.h"

#include <gtest/gtest.h>

#include "otlp_receiver.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::telemetry_export {
namespace {

TEST(TraceOutput, SendsAtTheEndWhatIsStillWaiting) {
  OtlpReceiver receiver;
  TraceSettings settings;
  settings.wanted = true;
  settings.endpoint = receiver.url() + "/v1/traces";
  telemetry::RecordingLogger logger;
  {
    TraceOutput traces(system_clock(), settings, {}, logger);
    EXPECT_TRUE(traces.tracer().enabled());
    traces.tracer().start("last words").end();
    EXPECT_EQ(traces.stats().waiting, 1U);
  }
  ASSERT_EQ(receiver.received().size(), 1U);
  EXPECT_NE(receiver.received()[0].body.find("last words"), std::string::npos);
  EXPECT_TRUE(logger.lines().empty());
}

TEST(TraceOutput, RecordsNothingWhereNoSpansAreWanted) {
  telemetry::RecordingLogger logger;
  TraceOutput traces(system_clock(), {}, {}, logger);
  EXPECT_FALSE(traces.tracer().enabled());
  EXPECT_EQ(traces.stats().waiting, 0U);
  EXPECT_TRUE(logger.lines().empty());
}

TEST(TraceOutput, SaysWhatItCannotUseAndRecordsNothing) {
  TraceSettings settings;
  settings.wanted = true;
  settings.tls.ca_files = {"/nowhere/ca.pem"};
  settings.problems = {"OTEL_TRACES_SAMPLER: \"x\" is not known"};
  telemetry::RecordingLogger logger;
  TraceOutput traces(system_clock(), settings, {}, logger);
  EXPECT_FALSE(traces.tracer().enabled());
  ASSERT_EQ(logger.lines().size(), 2U);
  EXPECT_TRUE(logger.holds("OTEL_TRACES_SAMPLER"));
  EXPECT_TRUE(logger.holds("/nowhere/ca.pem")) << logger.lines()[1];
}

}  // namespace
}  // namespace windlass::telemetry_export

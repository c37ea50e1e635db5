#include "windlass/telemetry/logger.h"

#include <gtest/gtest.h>

#include "windlass/telemetry/field_logger.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::telemetry {
namespace {

using Lines = std::vector<std::string>;

TEST(Logger, ShowsFieldsInTheOrderGiven) {
  RecordingLogger logger;
  logger.warn("forgetting key", {{"queue", "pods"}, {"requeues", 20}, {"fatal", false}});
  EXPECT_EQ(logger.lines(), Lines{"warning forgetting key queue=pods requeues=20 fatal=false"});
}

TEST(Logger, NullLoggerIsNeverEnabled) {
  EXPECT_FALSE(null_logger().enabled(Level::kError));
  null_logger().error("nobody reads this");
}

TEST(Logger, WritesFromItsThresholdUpwards) {
  RecordingLogger logger(Level::kInfo);
  logger.debug("one");
  logger.info("two");
  logger.set_threshold(Level::kError);
  logger.warn("three");
  logger.error("four");
  logger.set_threshold(Level::kOff);
  logger.error("five");
  EXPECT_EQ(logger.lines(), (Lines{"info two", "error four"}));
}

TEST(FieldLogger, AddsItsFieldsInFrontAndFollowsTheThresholdBelow) {
  RecordingLogger logger;
  FieldLogger of_queue(logger, {{"queue", "pods"}});
  FieldLogger of_run(of_queue, {{"workerId", 3}, {"key", "shop/web"}});
  of_run.error("failed",
               {{"attempt", 2}, Error{.code = ErrorCode::kTimedOut, .message = "timed out"}});
  logger.set_threshold(Level::kOff);
  EXPECT_FALSE(of_run.enabled(Level::kError));
  of_run.error("nobody reads this");
  EXPECT_EQ(logger.lines(),
            Lines{"error failed queue=pods workerId=3 key=shop/web attempt=2 error=timed out"});
}

}  // namespace
}  // namespace windlass::telemetry

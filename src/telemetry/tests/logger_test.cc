#include "windlass/telemetry/logger.h"

#include <gtest/gtest.h>

#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::telemetry {
namespace {

TEST(Logger, ShowsFieldsInTheOrderGiven) {
  RecordingLogger logger;
  logger.warn("forgetting key",
              {{"queue", "pods"}, {"requeues", std::int64_t{20}}, {"fatal", false}});
  EXPECT_EQ(logger.lines(),
            std::vector<std::string>{"warning forgetting key queue=pods requeues=20 fatal=false"});
}

TEST(Logger, NullLoggerIsNeverEnabled) {
  EXPECT_FALSE(null_logger().enabled(Level::kError));
  null_logger().error("nobody reads this");
}

}  // namespace
}  // namespace windlass::telemetry

#include "pin_report.h"

#include <gtest/gtest.h>

namespace windlass::app {
namespace {

PinnedImage image(PinStatus status, std::optional<ErrorCode> code = std::nullopt) {
  PinnedImage image{.file = "a.yaml", .finding = {.text = "nginx:1"}, .status = status};
  if (code) image.error = Error{*code, "why"};
  return image;
}

TEST(PinReport, TheExitCodeIsThatOfTheWorstImage) {
  PinReport report;
  EXPECT_EQ(report.exit_code(false), ExitCode::kDone);
  report.images = {image(PinStatus::kPinned), image(PinStatus::kSkipped),
                   image(PinStatus::kUnpinned)};
  EXPECT_EQ(report.exit_code(false), ExitCode::kDone);
  EXPECT_EQ(report.exit_code(true), ExitCode::kCheckFailed);
  report.images.push_back(image(PinStatus::kFailed, ErrorCode::kNotFound));
  EXPECT_EQ(report.exit_code(true), ExitCode::kRegistryNo);
  report.images.push_back(image(PinStatus::kFailed, ErrorCode::kTimedOut));
  EXPECT_EQ(report.exit_code(true), ExitCode::kRegistryGone);
  report.file_errors.push_back({ErrorCode::kNotFound, "b.yaml: no such file"});
  EXPECT_EQ(report.exit_code(true), ExitCode::kInput);
}

TEST(PinReport, AFaultOfOurOwnIsNeverTakenForABadFile) {
  PinReport report;
  report.file_errors = {{ErrorCode::kInvalid, "a"}, {ErrorCode::kInternal, "b"}};
  EXPECT_EQ(report.exit_code(false), ExitCode::kInternal);
}

TEST(PinReport, JsonHoldsEveryImageWithItsPlaceAndReason) {
  PinReport report;
  report.images = {image(PinStatus::kFailed, ErrorCode::kNotFound)};
  report.images[0].finding.location = {.line = 6, .column = 12};
  report.images[0].finding.path = "spec.containers[0].image";
  const std::string json = report.to_json(ExitCode::kRegistryNo);
  for (const char* part :
       {R"("file": "a.yaml")", R"("line": 6)", R"("column": 12)", R"("image": "nginx:1")",
        R"("status": "failed")", R"("kind": "not-found")", R"("path": "spec.containers[0].image")",
        R"("exitCode": 4)"}) {
    EXPECT_TRUE(json.contains(part)) << part << "\n" << json;
  }
  EXPECT_EQ(report.images[0].place(), "a.yaml:6:12");
}

}  // namespace
}  // namespace windlass::app

#include <gtest/gtest.h>

#include <algorithm>

#include "annotations.h"
#include "pin_json.h"
#include "pin_report.h"
#include "pin_sarif.h"

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

TEST(PinReport, AnImageThatBrokenFilesHideIsAFaultOfTheInput) {
  PinReport report;
  report.images = {image(PinStatus::kFailed, ErrorCode::kCorrupt)};
  EXPECT_EQ(report.exit_code(false), ExitCode::kRegistryNo);
  report.images[0].failed_by_source = true;
  EXPECT_EQ(report.exit_code(false), ExitCode::kInput);
}

TEST(PinReport, AnImageThatCannotBePinnedFailsACheckAndNothingElse) {
  PinReport report;
  report.images = {image(PinStatus::kUnpinnable)};
  report.images[0].finding.text = "";
  report.images[0].reason = "expected an image reference, found nothing";
  EXPECT_EQ(report.exit_code(true), ExitCode::kCheckFailed);
  EXPECT_EQ(report.exit_code(false), ExitCode::kDone);
  EXPECT_FALSE(report.failed());
  EXPECT_TRUE(pin_sarif(report).contains(
      R"("text": "cannot be pinned: expected an image reference, found nothing")"));
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
  const std::string json = pin_json(report, ExitCode::kRegistryNo);
  for (const char* part :
       {R"("file": "a.yaml")", R"("line": 6)", R"("column": 12)", R"("image": "nginx:1")",
        R"("status": "failed")", R"("kind": "not-found")", R"("path": "spec.containers[0].image")",
        R"("exitCode": 4)"}) {
    EXPECT_TRUE(json.contains(part)) << part << "\n" << json;
  }
  EXPECT_EQ(report.images[0].place(), "a.yaml:6:12");
}

TEST(PinReport, JsonLinesAreOneForEachImageAndErrorAndAPathNeedNotBeUtf8) {
  PinReport report;
  report.images = {image(PinStatus::kUnpinned), image(PinStatus::kSkipped)};
  report.images[0].file = "caf\xe9.yaml";
  report.file_errors = {{ErrorCode::kNotFound, "b.yaml: no such file"}};
  const std::string lines = pin_ndjson(report);
  EXPECT_EQ(std::ranges::count(lines, '\n'), 3);
  EXPECT_TRUE(lines.contains(R"("file":"caf\\xe9.yaml")")) << lines;
}

TEST(PinReport, SarifNamesTheRuleAndThePlaceOfEachComplaint) {
  PinReport report;
  report.images = {image(PinStatus::kUnpinned), image(PinStatus::kAlreadyPinned)};
  report.images[0].file = "my files/a.yaml";
  report.images[0].finding.location = {.line = 6, .column = 12};
  report.file_errors = {{ErrorCode::kInvalid, "b.yaml:2:1: expected a value"}};
  const std::string sarif = pin_sarif(report);
  for (const char* part :
       {R"("version": "2.1.0")", R"("ruleId": "unpinned")", R"("uri": "my%20files/a.yaml")",
        R"("startLine": 6)", R"("startColumn": 12)", R"("ruleId": "file")", R"("uri": "b.yaml")",
        R"("startLine": 2)"}) {
    EXPECT_TRUE(sarif.contains(part)) << part << "\n" << sarif;
  }
}

TEST(PinReport, AnEditToAFileThatWasNotWrittenIsTakenBackEverywhere) {
  PinReport report;
  report.images = {image(PinStatus::kPinned), image(PinStatus::kUpdated),
                   image(PinStatus::kAlreadyPinned), image(PinStatus::kRemoved)};
  for (PinnedImage& image : report.images) image.pinned_text = "nginx:1@sha256:0";
  report.images[3].file = "written.yaml";
  report.changed_files = {"written.yaml"};
  report.take_back_unwritten("why");
  EXPECT_EQ(report.count(PinStatus::kNotWritten), 2U);
  EXPECT_EQ(report.images[2].status, PinStatus::kAlreadyPinned);
  EXPECT_EQ(report.images[3].status, PinStatus::kRemoved);
  for (const std::string& text : {pin_json(report, ExitCode::kInput), pin_ndjson(report)}) {
    EXPECT_TRUE(text.contains("not-written")) << text;
    EXPECT_FALSE(text.contains(R"("updated")")) << text;
  }
  EXPECT_TRUE(pin_sarif(report).contains("nginx:1 stays as it was: why"));
}

TEST(PinReport, AnnotationsEscapeWhatWouldEndThem) {
  PinReport report;
  report.images = {image(PinStatus::kUnpinned)};
  report.images[0].file = "a,b:c.yaml";
  report.images[0].finding.location = {.line = 6, .column = 12};
  EXPECT_EQ(github_annotations(report),
            "::error file=a%2Cb%3Ac.yaml,line=6,col=12,title=windlass%3A unpinned::nginx:1 is not "
            "pinned; 'windlass pin -i' pins it\n");
}

}  // namespace
}  // namespace windlass::app

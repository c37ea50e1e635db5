#include "pin_findings.h"

#include <algorithm>
#include <charconv>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

constexpr ComplaintRule kRules[] = {
    {"file", "A file could not be read, parsed or written."},
    {"invalid-reference", "A text where an image is expected is not an image reference."},
    {"unpinned", "An image has no digest: its tag may mean another image tomorrow."},
    {"unpinnable", "An image cannot get a digest where it stands, or none is named there."},
    {"moved", "The tag of a pinned image means another digest now."},
    {"not-as-locked", "A pinned image has another digest than the lock says, or is not in it."},
    {"not-written", "An image stays as it was, as its file was not written."},
    {"lookup", "A registry did not tell the digest of an image."},
    {"floating", "An image has no tag, so nobody knows what an update would follow."},
};

// Tools compare names with those of a repository's files.
std::string in_repository(std::string_view file) {
  while (file.starts_with("./")) {
    file.remove_prefix(std::min(file.find_first_not_of('/', 1), file.size()));
  }
  return std::string(file);
}

// Errors of files start with "file:line:column: ", or with "file: ".
Complaint of_file(const Error& error) {
  Complaint complaint{.rule = "file", .level = "error", .message = error.message};
  const std::string_view text = error.message;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return complaint;
  complaint.file = in_repository(text.substr(0, colon));
  std::size_t* const numbers[] = {&complaint.line, &complaint.column};
  const char* at = text.data() + colon;
  const char* const end = text.data() + text.size();
  for (std::size_t* number : numbers) {
    if (at == end || *at != ':') break;
    const auto [behind, problem] = std::from_chars(at + 1, end, *number);
    if (problem != std::errc()) break;
    at = behind;
  }
  return complaint;
}

Complaint at_image(const PinnedImage& image, std::string_view rule, std::string_view level,
                   std::string message) {
  return {.rule = rule,
          .level = level,
          .file = in_repository(image.file),
          .line = image.finding.location.line,
          .column = image.finding.location.column,
          .message = std::move(message)};
}

}  // namespace

std::span<const ComplaintRule> complaint_rules() { return kRules; }

std::vector<Complaint> complaints_of(const PinReport& report) {
  std::vector<Complaint> complaints;
  complaints.reserve(report.file_errors.size() + report.images.size());
  for (const Error& error : report.file_errors) complaints.push_back(of_file(error));
  for (const PinnedImage& image : report.images) {
    const std::string name = printable(image.finding.text, 1000);
    if (image.status == PinStatus::kFailed) {
      const bool invalid = image.finding.state == manifest::FindingState::kInvalid;
      complaints.push_back(
          at_image(image, invalid ? "invalid-reference" : "lookup", "error", image.error->message));
    } else if (image.status == PinStatus::kUnpinned) {
      complaints.push_back(at_image(image, "unpinned", "error",
                                    format("{} is not pinned; 'windlass pin -i' pins it", name)));
    } else if (image.status == PinStatus::kUnpinnable) {
      complaints.push_back(at_image(
          image, "unpinnable", "error",
          format("{}cannot be pinned: {}", name.empty() ? "" : name + ": ", image.reason)));
    } else if (image.status == PinStatus::kMoved) {
      complaints.push_back(
          at_image(image, "moved", "error",
                   format("{} has moved: its registry now says {}; 'windlass pin -i --update' "
                          "follows it",
                          name, image.digest->to_string())));
    } else if (image.status == PinStatus::kNotAsLocked) {
      complaints.push_back(
          at_image(image, "not-as-locked", "error",
                   format("{} {}; 'windlass pin -i --lock' makes them agree", name, image.reason)));
    } else if (image.status == PinStatus::kNotWritten) {
      complaints.push_back(at_image(image, "not-written", "error",
                                    format("{} stays as it was: {}", name, image.reason)));
    } else if (image.status == PinStatus::kPinned && !image.finding.reference->has_written_tag()) {
      complaints.push_back(at_image(image, "floating", "warning",
                                    format("{} has no tag and floats with \"latest\"", name)));
    }
  }
  return complaints;
}

}  // namespace windlass::app

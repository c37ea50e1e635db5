#include "pin_lines.h"

#include <string>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

constexpr std::size_t kShownMax = 1000;

std::string named(const PinnedImage& image) {
  return format("{}: {}", image.place(), printable(image.finding.text, kShownMax));
}

// What the answer was and who gave it.
std::string answer_text(const PinnedImage& image) {
  std::string text = image.digest ? image.digest->to_string() : "";
  if (!image.digest_kind().empty()) {
    text += image.digest_kind() == "index" ? ", an index of platforms" : ", one image";
  }
  if (image.from_lock) text += "; from the lock";
  if (!image.credentials.empty()) {
    text += format("; asked {} with {}", image.finding.reference->registry(), image.credentials);
    if (image.tries > 1) text += format(", {} tries", image.tries);
  }
  return text;
}

std::string listing_of(const PinnedImage& image) {
  switch (image.status) {
    case PinStatus::kPinned: return "not pinned: would get " + answer_text(image);
    case PinStatus::kUpdated:
    case PinStatus::kMoved: return "pinned, and moved to " + answer_text(image);
    case PinStatus::kAlreadyPinned: return "pinned: " + answer_text(image);
    case PinStatus::kUnpinned: return "not pinned";
    case PinStatus::kRemoved: return "pinned: would lose its digest";
    case PinStatus::kSkipped: return "left alone: " + image.reason;
    case PinStatus::kFailed: return "failed: " + image.error->message;
  }
  return {};
}

void tell_image(const PinnedImage& image, bool places_to_out, std::ostream& out, Console& console) {
  switch (image.status) {
    case PinStatus::kFailed: console.error(image.error->message); break;
    case PinStatus::kUnpinned:
      if (places_to_out) out << named(image) << " is not pinned\n";
      break;
    case PinStatus::kMoved:
      if (places_to_out) {
        out << named(image) << " has moved: " << image.reason << " now says "
            << image.digest->to_string() << '\n';
      }
      break;
    case PinStatus::kPinned:
      if (!image.finding.reference->has_written_tag()) {
        console.warning(
            format("{}: no tag: the image floats with \"latest\" until the next "
                   "update; name a tag",
                   named(image)));
      }
      console.detail(format("{}: {}", image.place(), image.pinned_text));
      break;
    case PinStatus::kUpdated:
    case PinStatus::kRemoved:
      console.detail(format("{}: {}", image.place(), image.pinned_text));
      break;
    case PinStatus::kAlreadyPinned:
      console.detail(
          format("{}: {}", named(image), image.reason.empty() ? "already pinned" : image.reason));
      break;
    case PinStatus::kSkipped:
      console.detail(format("{}: left alone: {}", named(image), image.reason));
      break;
  }
}

std::string counted(std::size_t number, std::string_view what) {
  return number == 0 ? std::string() : format(", {} {}", number, what);
}

void tell_check(const PinReport& report, Console& console) {
  const std::size_t unpinned = report.count(PinStatus::kUnpinned);
  const std::size_t moved = report.count(PinStatus::kMoved);
  if (unpinned > 0) {
    console.note(format("{} of {} images are not pinned; 'windlass pin -i' pins them", unpinned,
                        report.images.size()));
  }
  if (moved > 0) {
    console.note(format("{} of {} images have moved; 'windlass pin -i --update' follows them",
                        moved, report.images.size()));
  }
}

}  // namespace

void tell_images(const PinReport& report, bool places_to_out, std::ostream& out, Console& console) {
  for (const Error& error : report.file_errors) console.error(error.message);
  for (const PinnedImage& image : report.images) tell_image(image, places_to_out, out, console);
}

void list_images(const PinReport& report, std::ostream& out) {
  for (const PinnedImage& image : report.images) {
    out << named(image) << ": " << listing_of(image);
    if (!image.finding.rule.empty() && image.status != PinStatus::kSkipped) {
      out << "; rule: " << printable(image.finding.rule, kShownMax);
    }
    out << '\n';
  }
}

void tell_summary(const PinReport& report, const PinCommand& command, Console& console) {
  if (command.is_check()) return tell_check(report, console);
  const bool writes = command.mode == PinMode::kInPlace || command.mode == PinMode::kApply;
  if (!writes) return;
  if (report.failed() && !command.keep_going) {
    console.note(
        report.changed_files.empty()
            ? "nothing was written; --keep-going writes what could be pinned"
            : format("{} files could not be put back: see above", report.changed_files.size()));
    return;
  }
  if (command.action == PinAction::kUnpin) {
    console.note(format("{} images unpinned in {} files", report.count(PinStatus::kRemoved),
                        report.changed_files.size()));
    return;
  }
  console.note(format("{} images pinned in {} files{}, {} were pinned before{}",
                      report.count(PinStatus::kPinned), report.changed_files.size(),
                      counted(report.count(PinStatus::kUpdated), "updated"),
                      report.count(PinStatus::kAlreadyPinned),
                      counted(report.count(PinStatus::kFailed), "failed")));
}

}  // namespace windlass::app

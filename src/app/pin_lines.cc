#include "pin_lines.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "counted.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

constexpr std::size_t kShownMax = 1000;

std::string named(const PinnedImage& image) {
  if (image.finding.text.empty()) return image.place();
  return format("{}: {}", image.place(), printable(image.finding.text, kShownMax));
}

// The error without what stands before it on the same line.
std::string_view error_text(const PinnedImage& image) {
  std::string_view text = image.error->message;
  for (const std::string& known : {image.place(), printable(image.finding.text, kShownMax)}) {
    if (!known.empty() && text.starts_with(known + ": ")) text.remove_prefix(known.size() + 2);
  }
  return text;
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
    case PinStatus::kNotAsLocked: return "pinned, and " + image.reason;
    case PinStatus::kAlreadyPinned: return "pinned: " + answer_text(image);
    case PinStatus::kUnpinned: return "not pinned";
    case PinStatus::kUnpinnable: return "cannot be pinned: " + image.reason;
    case PinStatus::kRemoved: return "pinned: would lose its digest";
    case PinStatus::kNotWritten: return "stays as it was: " + image.reason;
    case PinStatus::kSkipped: return "left alone: " + image.reason;
    case PinStatus::kFailed: return format("failed: {}", error_text(image));
  }
  return {};
}

void tell_image(const PinnedImage& image, bool places_to_out, std::ostream& out, Console& console) {
  switch (image.status) {
    case PinStatus::kFailed: console.error(image.error->message); break;
    case PinStatus::kUnpinned:
      if (places_to_out) out << named(image) << " is not pinned\n";
      break;
    case PinStatus::kUnpinnable: {
      const std::string line = format("{}: cannot be pinned: {}", named(image), image.reason);
      if (places_to_out) {
        out << line << '\n';
      } else {
        console.warning(line);
      }
      break;
    }
    case PinStatus::kMoved:
      if (places_to_out) {
        out << named(image) << " has moved: its registry now says " << image.digest->to_string()
            << '\n';
      }
      break;
    case PinStatus::kNotAsLocked:
      if (places_to_out) out << named(image) << ' ' << image.reason << '\n';
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
    case PinStatus::kRemoved:
      if (!image.finding.followed()) {
        console.warning(
            format("{}: no tag is known: without its digest the image is \"latest\"; write its tag",
                   named(image)));
      }
      console.detail(format("{}: {}", image.place(), image.pinned_text));
      break;
    case PinStatus::kUpdated:
      console.detail(format("{}: {}", image.place(), image.pinned_text));
      break;
    case PinStatus::kNotWritten:
      console.detail(format("{}: stays as it was: {}", named(image), image.reason));
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

// ", 2 failed", or nothing when there is none.
std::string also(std::size_t number, std::string_view what) {
  return number == 0 ? std::string() : format(", {} {}", number, what);
}

// "1 of 3 images is", "2 of 3 images are".
std::string images_are(std::size_t number, std::size_t all) {
  return format("{} of {} {}", number, counted(all, "image", "images"),
                word_for(number, "is", "are"));
}

// What nobody has looked at should not pass for pinned.
std::size_t count_unknown(const PinReport& report) {
  return static_cast<std::size_t>(
      std::ranges::count_if(report.images, [](const PinnedImage& image) {
        return image.status == PinStatus::kSkipped &&
               image.finding.state == manifest::FindingState::kNotKnown;
      }));
}

// A digest without a tag passes for one that was looked at.
void tell_not_followed(const PinReport& report, const PinCommand& command, Console& console) {
  if (!command.verify && command.action != PinAction::kUpdate) return;
  const auto count =
      static_cast<std::size_t>(std::ranges::count_if(report.images, [](const PinnedImage& image) {
        return image.status == PinStatus::kAlreadyPinned && !image.finding.followed();
      }));
  if (count == 0) return;
  console.note(format("{} not looked up: no tag stands beside {}; write {}",
                      images_are(count, report.images.size()),
                      word_for(count, "its digest", "their digests"),
                      word_for(count, "it", "them")));
}

void tell_check(const PinReport& report, Console& console) {
  const std::size_t unpinned = report.count(PinStatus::kUnpinned);
  const std::size_t unpinnable = report.count(PinStatus::kUnpinnable);
  const std::size_t moved = report.count(PinStatus::kMoved);
  if (unpinned > 0) {
    console.note(format("{} not pinned; 'windlass pin -i' pins {}",
                        images_are(unpinned, report.images.size()),
                        word_for(unpinned, "it", "them")));
  }
  if (unpinnable > 0) {
    console.note(format("{} of {} cannot be pinned: see above", unpinnable,
                        counted(report.images.size(), "image", "images")));
  }
  if (const std::size_t unknown = count_unknown(report); unknown > 0) {
    console.note(format("{} not checked: a template or a variable stands in {}; --list shows {}",
                        images_are(unknown, report.images.size()), word_for(unknown, "it", "them"),
                        word_for(unknown, "it", "them")));
  }
  if (const std::size_t others = report.count(PinStatus::kNotAsLocked); others > 0) {
    console.note(format("{} not as locked; 'windlass pin -i --lock' makes {} agree with the lock",
                        images_are(others, report.images.size()), word_for(others, "it", "them")));
  }
  if (moved > 0) {
    console.note(format("{} of {} {} moved; 'windlass pin -i --update' follows {}", moved,
                        counted(report.images.size(), "image", "images"),
                        word_for(moved, "has", "have"), word_for(moved, "it", "them")));
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
  tell_not_followed(report, command, console);
  if (command.is_check()) return tell_check(report, console);
  const bool writes = command.mode == PinMode::kInPlace || command.mode == PinMode::kApply;
  if (!writes) return;
  if (report.failed() && !command.keep_going) {
    console.note(report.changed_files.empty()
                     ? "nothing was written; --keep-going writes what could be pinned"
                     : format("{} could not be put back: see above",
                              counted(report.changed_files.size(), "file", "files")));
    return;
  }
  const std::string files = counted(report.changed_files.size(), "file", "files");
  const std::string troubles =
      also(report.count(PinStatus::kUnpinnable), "cannot be pinned") +
      also(report.count(PinStatus::kNotWritten), "not written") +
      also(count_unknown(report), "left alone for a template or variable") +
      also(report.count(PinStatus::kFailed), "failed");
  // A plan says by its edits what it is for.
  const std::size_t removed = report.count(PinStatus::kRemoved);
  if (command.action == PinAction::kUnpin ||
      (removed > 0 && report.count(PinStatus::kPinned) == 0)) {
    console.note(
        format("{} unpinned in {}{}", counted(removed, "image", "images"), files, troubles));
    return;
  }
  const std::size_t before = report.count(PinStatus::kAlreadyPinned);
  console.note(format("{} pinned in {}{}, {} {} pinned before{}",
                      counted(report.count(PinStatus::kPinned), "image", "images"), files,
                      also(report.count(PinStatus::kUpdated), "updated"), before,
                      word_for(before, "was", "were"), troubles));
}

}  // namespace windlass::app

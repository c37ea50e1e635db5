#include "pin_edits.h"

#include <algorithm>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

manifest::Style style_of(PinCommand::Style style) {
  switch (style) {
    case PinCommand::Style::kAsWritten: return manifest::Style::kAsWritten;
    case PinCommand::Style::kTag: return manifest::Style::kTagAndDigest;
    case PinCommand::Style::kDigest: return manifest::Style::kDigest;
    case PinCommand::Style::kComment: return manifest::Style::kComment;
  }
  return manifest::Style::kAsWritten;
}

}  // namespace

Result<std::optional<EditedFile>> edit_file(PinFiles& files, PinFile& file,
                                            std::span<PinnedImage> images,
                                            const PinCommand& command) {
  const bool failed =
      std::ranges::any_of(images, [](const auto& i) { return i.status == PinStatus::kFailed; });
  const bool edited = std::ranges::any_of(images, &PinnedImage::is_edited);
  if (!edited || (failed && !command.keep_going)) return std::nullopt;
  auto manifest = files.reopen(file);
  if (!manifest) return fail(std::move(manifest.error()));
  std::vector<manifest::Edit> edits;
  std::vector<PlannedEdit> planned;
  for (std::size_t i = 0; i < images.size(); ++i) {
    PinnedImage& image = images[i];
    if (!image.is_edited()) continue;
    const manifest::Edit edit{.finding = i,
                              .digest = image.digest,
                              .style = style_of(image.style.value_or(command.style))};
    std::string becomes = manifest->reference_after(edit);
    if (command.mode == PinMode::kApply && becomes != image.pinned_text) {
      return fail(
          ErrorCode::kInvalid,
          format("{}: the plan says that it becomes {}, and its digest and style make {}; "
                 "make a new plan",
                 image.place(), windlass::quoted(image.pinned_text), windlass::quoted(becomes)));
    }
    image.pinned_text = std::move(becomes);
    edits.push_back(edit);
    planned.push_back({.line = image.finding.location.line,
                       .column = image.finding.location.column,
                       .offset = image.finding.span.begin,
                       .image = image.finding.text,
                       .becomes = image.pinned_text,
                       .digest = image.digest,
                       .style = command.style});
  }
  auto bytes = manifest->edited(edits);
  if (!bytes) return fail(std::move(bytes.error()));
  return EditedFile{
      .manifest = std::move(*manifest), .bytes = std::move(*bytes), .edits = std::move(planned)};
}

Result<void> follow_plan(const PlannedFile& planned, std::span<PinnedImage> images) {
  for (const PlannedEdit& edit : planned.edits) {
    const auto image = std::ranges::find_if(images, [&](const PinnedImage& candidate) {
      return candidate.finding.span.begin == edit.offset && candidate.finding.text == edit.image &&
             (candidate.finding.state == manifest::FindingState::kUnpinned ||
              candidate.finding.state == manifest::FindingState::kPinned);
    });
    if (image == images.end()) {
      return fail(ErrorCode::kConflict,
                  format("{}:{}:{}: the plan names {}, which is not found there; make a new plan, "
                         "with the same --rules, --format and --in-strings",
                         printable(planned.path), edit.line, edit.column,
                         windlass::quoted(image::without_password(edit.image))));
    }
    const bool had_one = image->finding.state == manifest::FindingState::kPinned;
    if (had_one) image->before = image->finding.reference->digest();
    image->digest = edit.digest;
    image->pinned_text = edit.becomes;  // as whoever looked at the plan was told
    image->style = edit.style;
    image->status = !edit.digest ? PinStatus::kRemoved
                    : had_one    ? PinStatus::kUpdated
                                 : PinStatus::kPinned;
  }
  return {};
}

}  // namespace windlass::app

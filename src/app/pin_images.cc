#include "pin_images.h"

#include <utility>

namespace windlass::app {
namespace {

constexpr const char* kOnSkipList = "its registry is on the skip list (--skip)";

bool follows_tag(const PinCommand& command) {
  return command.action == PinAction::kUpdate || command.verify;
}

}  // namespace

PinnedImage image_of(const std::string& file, const manifest::Finding& finding,
                     const PinCommand& command, const resolver::SkipList& skip) {
  PinnedImage image{.file = file, .finding = finding};
  // A name may stand in any of these: a kustomization's images are named by what they replace.
  for (std::string* text : {&image.finding.text, &image.finding.container, &image.finding.object,
                            &image.finding.path}) {
    *text = image::without_password(*text);
  }
  const bool would_change =
      finding.state == manifest::FindingState::kUnpinned ||
      finding.state == manifest::FindingState::kUnpinnable ||
      (finding.state == manifest::FindingState::kPinned && command.action == PinAction::kUnpin);
  if (would_change && finding.reference && skip.matches(*finding.reference)) {
    image.digest = finding.reference->digest();
    image.reason = kOnSkipList;
    return image;
  }
  switch (finding.state) {
    case manifest::FindingState::kUnpinned: image.status = PinStatus::kUnpinned; break;
    case manifest::FindingState::kPinned:
      image.status = PinStatus::kAlreadyPinned;
      image.digest = finding.reference->digest();
      if (command.action == PinAction::kUnpin) {
        image.status = PinStatus::kRemoved;
        image.before = std::exchange(image.digest, std::nullopt);
      } else if (follows_tag(command) && !finding.followed()) {
        image.reason = "no tag stands beside its digest, and nobody knows what it would follow";
      }
      break;
    case manifest::FindingState::kNotKnown:
    case manifest::FindingState::kLeftAlone: image.reason = finding.reason; break;
    case manifest::FindingState::kUnpinnable:
      image.reason = finding.reason;
      if (command.action != PinAction::kUnpin) image.status = PinStatus::kUnpinnable;
      break;
    case manifest::FindingState::kInvalid:
      image.status = PinStatus::kFailed;
      image.error = Error{ErrorCode::kInvalid, finding.reason};
      break;
  }
  return image;
}

std::optional<image::ImageReference> wanted_digest(const PinnedImage& image,
                                                   const PinCommand& command,
                                                   const resolver::SkipList& skip) {
  const bool asks_nobody = command.mode == PinMode::kList || command.mode == PinMode::kApply ||
                           command.action == PinAction::kUnpin;
  if (asks_nobody) return std::nullopt;
  if (image.finding.reference && skip.matches(*image.finding.reference)) return std::nullopt;
  if (image.status == PinStatus::kUnpinned && !command.is_check()) return image.finding.reference;
  const bool looks_again =
      command.action == PinAction::kUpdate || command.verify || command.mode == PinMode::kExplain;
  if (image.status == PinStatus::kAlreadyPinned && looks_again) return image.finding.followed();
  return std::nullopt;
}

void take_answer(const DigestAnswer& answer, const PinCommand& command, PinnedImage& image) {
  image.from_lock = answer.from_lock;
  image.media_type = answer.media_type;
  image.credentials = answer.credentials;
  image.tries = answer.tries;
  image.failed_by_source = answer.failed_by_source;
  if (answer.error) {
    image.status = PinStatus::kFailed;
    image.error = answer.error->with_context(image.place());
  } else if (image.status == PinStatus::kUnpinned) {
    image.status = PinStatus::kPinned;
    image.digest = answer.digest;
  } else if (image.digest != answer.digest) {
    const bool updates = command.action == PinAction::kUpdate;
    image.status = updates ? PinStatus::kUpdated : PinStatus::kMoved;
    image.before = image.digest;
    image.digest = answer.digest;
  }
}

void compare_with_lock(const PinCommand& command, const resolver::SkipList& skip,
                       DigestSource& digests, PinnedImage& image) {
  const bool follows_tags = command.action != PinAction::kPin || command.mode == PinMode::kExplain;
  const auto followed = image.finding.followed();
  if (image.status != PinStatus::kAlreadyPinned || follows_tags || !followed ||
      skip.matches(*followed))
    return;
  const auto locked = digests.locked(*followed);
  if (locked == image.digest) return;
  if (!command.is_check() && !locked) return digests.remember(*followed, *image.digest);
  image.status = command.is_check() ? PinStatus::kNotAsLocked : PinStatus::kUpdated;
  image.reason =
      locked ? "is not as locked: the lock says " + locked->to_string() : "is not in the lock";
  image.from_lock = locked.has_value();
  if (locked) image.before = std::exchange(image.digest, locked);
}

}  // namespace windlass::app

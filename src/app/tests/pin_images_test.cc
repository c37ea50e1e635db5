#include "pin_images.h"

#include <gtest/gtest.h>

#include "lookups.h"

namespace windlass::app {
namespace {

const image::Digest kDigest = image::Digest::sha256_of("x");

manifest::Finding finding(const std::string& text) {
  const auto reference = image::ImageReference::parse(text);
  manifest::Finding finding{.text = text};
  finding.state = !reference               ? manifest::FindingState::kInvalid
                  : reference->is_pinned() ? manifest::FindingState::kPinned
                                           : manifest::FindingState::kUnpinned;
  if (reference) finding.reference = *reference;
  return finding;
}

PinStatus status_of(const std::string& text, const PinCommand& command) {
  return image_of("a.yaml", finding(text), command, skip_list_of(command.common)).status;
}

TEST(PinImages, WhatIsOnTheSkipListIsLeftAsItIsWhateverIsDone) {
  const std::string skipped = "kind.local/app:1";
  const std::string pinned = skipped + "@" + kDigest.to_string();
  for (const PinMode mode : {PinMode::kCheck, PinMode::kInPlace, PinMode::kList}) {
    const PinCommand command{.mode = mode};
    EXPECT_EQ(status_of(skipped, command), PinStatus::kSkipped);
    EXPECT_EQ(status_of("nginx:1", command), PinStatus::kUnpinned);
    EXPECT_EQ(status_of(pinned, command), PinStatus::kAlreadyPinned);
  }
  EXPECT_EQ(status_of(pinned, {.action = PinAction::kUnpin}), PinStatus::kSkipped);
}

TEST(PinImages, NobodyIsAskedForWhatIsOnTheSkipList) {
  PinCommand command{.mode = PinMode::kInPlace, .action = PinAction::kUpdate};
  command.common.skip = {"a.test"};
  const resolver::SkipList skip = skip_list_of(command.common);
  for (const std::string& tail : {std::string(), "@" + kDigest.to_string()}) {
    const auto wanted = [&](const std::string& name) {
      const auto image = image_of("a.yaml", finding(name + tail), command, skip);
      return wanted_digest(image, command, skip).has_value();
    };
    EXPECT_FALSE(wanted("a.test/app:1"));
    EXPECT_TRUE(wanted("b.test/app:1"));
    EXPECT_TRUE(wanted("kind.local/app:1")) << "the user's list takes the place of the usual one";
  }
}

TEST(PinImages, WhatCannotBePinnedIsToldUnlessItIsSkippedOrDigestsAreTakenOut) {
  manifest::Finding stuck = finding("kind.local/app:1");
  stuck.state = manifest::FindingState::kUnpinnable;
  stuck.reason = "why";
  const resolver::SkipList nobody;
  EXPECT_EQ(image_of("a.yaml", stuck, {}, nobody).status, PinStatus::kUnpinnable);
  EXPECT_EQ(image_of("a.yaml", stuck, {}, nobody).reason, "why");
  EXPECT_FALSE(wanted_digest(image_of("a.yaml", stuck, {}, nobody), {}, nobody));
  EXPECT_EQ(image_of("a.yaml", stuck, {}, skip_list_of({})).status, PinStatus::kSkipped);
  const PinCommand unpin{.action = PinAction::kUnpin};
  EXPECT_EQ(image_of("a.yaml", stuck, unpin, nobody).status, PinStatus::kSkipped);
}

TEST(PinImages, APasswordInANameIsNotKept) {
  const auto image = image_of("a.yaml", finding("user:s3cret@host/app"), {}, {});
  EXPECT_EQ(image.finding.text, "user:***@host/app");
  EXPECT_EQ(image.status, PinStatus::kFailed);
}

}  // namespace
}  // namespace windlass::app

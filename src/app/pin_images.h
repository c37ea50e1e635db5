// What a run of `windlass pin` does with each image: which digests it needs, and what an answer
// makes of it.
//
// Pure functions.
#pragma once

#include <optional>
#include <string>

#include "commands.h"
#include "digest_source.h"
#include "pin_report.h"
#include "windlass/resolver/skip_list.h"

namespace windlass::app {

// A finding as it is before anybody was asked. What is on the skip list is left as it is.
PinnedImage image_of(const std::string& file, const manifest::Finding& finding,
                     const PinCommand& command, const resolver::SkipList& skip);

// What to ask for; nullopt when nothing is needed.
std::optional<image::ImageReference> wanted_digest(const PinnedImage& image,
                                                   const PinCommand& command,
                                                   const resolver::SkipList& skip);

void take_answer(const DigestAnswer& answer, const PinCommand& command, PinnedImage& image);

// Makes a pinned image and the lock agree: the image gets what the lock says of its tag, the lock
// learns what it does not know. A check tells instead. When tags are followed, nothing is done.
void compare_with_lock(const PinCommand& command, const resolver::SkipList& skip,
                       DigestSource& digests, PinnedImage& image);

}  // namespace windlass::app

// What a run of `windlass pin` does with each image: which digests it needs, and what an answer
// makes of it.
//
// Pure functions.
#pragma once

#include <optional>
#include <string>

#include "commands.h"
#include "digest_source.h"
#include "lock_file.h"
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

// A check with a lock, which asks nobody.
void compare_with_lock(const LockFile& lock, std::string_view platform, PinnedImage& image);

}  // namespace windlass::app

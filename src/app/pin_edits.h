// The edits of one file: from what became of its images to its new contents.
//
// Pure functions, but for reopening the file.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands.h"
#include "pin_files.h"
#include "pin_plan.h"
#include "pin_report.h"

namespace windlass::app {

struct EditedFile {
  manifest::Manifest manifest;  // before
  std::string bytes;            // after
  std::vector<PlannedEdit> edits;
};

// nullopt when nothing changes: no image of the file gets another text, or one failed and the
// command does not keep going. Fills in what stands at the places of `images` afterwards.
Result<std::optional<EditedFile>> edit_file(PinFiles& files, PinFile& file,
                                            std::span<PinnedImage> images,
                                            const PinCommand& command);

// Makes `images` of a file what its plan says of them. kConflict when the plan names what is not
// there.
Result<void> follow_plan(const PlannedFile& planned, std::span<PinnedImage> images);

}  // namespace windlass::app

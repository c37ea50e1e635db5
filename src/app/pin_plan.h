// PinPlan: edits to files, written down so that somebody can look at them before they are made.
//
// A JSON file. Entries may be taken out of it; one that was added or changed is only made when it
// names an image that stands at its place.
//
// A value.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands.h"
#include "windlass/base/result.h"
#include "windlass/image/digest.h"

namespace windlass::app {

struct PlannedEdit {
  std::size_t line = 0;  // for people
  std::size_t column = 0;
  std::size_t offset = 0;               // of the value, in bytes
  std::string image;                    // what stands there
  std::string becomes;                  // what is to stand there
  std::optional<image::Digest> digest;  // none takes it out
  PinCommand::Style style = PinCommand::Style::kAsWritten;
};

struct PlannedFile {
  std::string path;
  image::Digest contents;  // of the whole file, before
  std::vector<PlannedEdit> edits;
};

struct PinPlan {
  static constexpr int kVersion = 1;

  std::vector<PlannedFile> files;

  // kInvalid, naming the file and what is wrong.
  static Result<PinPlan> parse(std::string_view file_name, std::string_view bytes);
  std::string to_text() const;
};

}  // namespace windlass::app

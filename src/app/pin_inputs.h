// What a run of `windlass pin` reads besides manifests: which files there are, the user's rules,
// the lock and the plan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "file_replacement.h"
#include "lock_file.h"
#include "pin_plan.h"
#include "windlass/base/result.h"
#include "windlass/manifest/manifest.h"

namespace windlass::app {

struct InputPath {
  std::string path;
  bool found_in_folder = false;  // rather than named by the user
};

struct PinInputs {
  std::vector<InputPath> paths;
  std::vector<Error> errors;  // of arguments that name nothing
  manifest::Manifest::Options manifest;
  std::optional<LockFile> lock;  // empty when its file is not there yet
  FileStamp lock_stamp;          // before it was read
  std::optional<PinPlan> plan;   // to apply
};

// An error when a file that an option names cannot be used.
Result<PinInputs> gather_inputs(const PinCommand& command);

// An empty lock when there is no such file; then `must_exist` makes it an error.
Result<LockFile> read_lock(const std::string& file, bool must_exist);

// One file goes to standard output, and only a file can be changed in place. "" when all is well.
std::string misuse_of(const PinCommand& command, const PinInputs& inputs);

}  // namespace windlass::app

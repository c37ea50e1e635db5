// Keeps the files that options name to be written from destroying others: what is to be pinned,
// what another option names, or a file of the user's that is something else.
//
// Reads those files; changes nothing. Run before anything else is done.
#pragma once

#include <string>

#include "commands.h"
#include "windlass/base/result.h"

namespace windlass::app {

// What is wrong, for people, with --metrics-file, --plan and --lock; "" when nothing is. A file
// that has something in it is only replaced by one of its own kind.
std::string misuse_of_outputs(const ResolveCommand& command);
std::string misuse_of_outputs(const KrmCommand& command);
std::string misuse_of_outputs(const PinCommand& command);

// An error when metrics cannot be written where --metrics-file says: known before files are
// changed.
Result<void> check_metrics_file(const CommonOptions& common);

}  // namespace windlass::app

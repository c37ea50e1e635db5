// Keeps the files that options name to be written from destroying others: what is to be pinned,
// what another option names, or a file of the user's that is something else.
//
// Reads those files; changes nothing. Run before anything else is done.
#pragma once

#include <string>

#include "commands.h"

namespace windlass::app {

// What is wrong, for people, with --metrics-file, --plan and --lock; "" when nothing is. A file
// that has something in it is only replaced by one of its own kind.
std::string misuse_of_outputs(const ResolveCommand& command);
std::string misuse_of_outputs(const KrmCommand& command);
std::string misuse_of_outputs(const PinCommand& command);

}  // namespace windlass::app

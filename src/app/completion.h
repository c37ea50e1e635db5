// Completions of shells, from the definitions of commands.
//
// Pure functions. Each gives a script for the shell to read.
#pragma once

#include <span>
#include <string>

#include "option.h"

namespace windlass::app {

std::string bash_completion(const CommandSpec& program, std::span<const CommandSpec> commands);
std::string zsh_completion(const CommandSpec& program, std::span<const CommandSpec> commands);
std::string fish_completion(const CommandSpec& program, std::span<const CommandSpec> commands);

}  // namespace windlass::app

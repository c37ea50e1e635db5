// The help texts: what --help prints.
//
// Pure functions.
#pragma once

#include <span>
#include <string>

#include "option.h"

namespace windlass::app {

// For one command.
std::string help_text(const CommandSpec& command);

// For the program: what its commands are.
std::string program_help_text(const CommandSpec& program, std::span<const CommandSpec> commands);

// "-q, --quiet", "--timeout TIME".
std::string option_heading(const Option& option);

// The help of an option with its default and its words.
std::string option_text(const Option& option);

// The groups of a command's options, in the order they come.
std::vector<std::string> groups_of(const CommandSpec& command);

// Breaks text into lines of at most `columns`, the first behind `indent` blanks that stand already.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns);

// What the exit codes mean, one a line.
std::string exit_codes_text();

}  // namespace windlass::app

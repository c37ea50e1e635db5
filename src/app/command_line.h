// The command line, as a command to run or a text to print. Knows nothing of what commands do.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "commands.h"
#include "windlass/app/exit_code.h"

namespace windlass::app {

// What to print instead of doing something: help, the version, or what is wrong with the usage.
struct Text {
  std::string text;
  ExitCode code;  // kDone: for standard output; otherwise for standard error
};

using Command =
    std::variant<Text, ResolveCommand, PinCommand, KrmCommand, CompletionCommand, ManualCommand>;

// `arguments` without the program's name. Reads the configuration file that they name.
Command parse_command_line(std::span<const std::string> arguments);

}  // namespace windlass::app

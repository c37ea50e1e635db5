// Runs a program to its end, without a shell: something in, something out, within limits.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/result.h"

namespace windlass::credentials {

struct Program {
  // The first is looked for in PATH, unless it has a slash.
  std::vector<std::string> arguments;
  std::string_view input;
  // Added to this process's own, or put in the place of what has the same name.
  std::vector<std::pair<std::string, std::string>> environment;
};

struct ProgramLimits {
  TimePoint deadline;
  std::size_t output_bytes_max = 0;
};

struct ProgramEnd {
  int status = 0;      // exit status, or 128 + the signal that killed it
  std::string output;  // its standard output; may hold secrets
};

// Standard error is thrown away: it may hold secrets, and is nobody's to read. It has ended when
// the program has: what that left running in the background is neither waited for nor ended.
// kNotFound when there is no such program, kTimedOut and kCancelled when it was killed (with what
// it has started in its process group), kInvalid when it says too much.
Result<ProgramEnd> run_program(const Program& program, const ProgramLimits& limits, Clock& clock,
                               const std::stop_token& stop);

}  // namespace windlass::credentials

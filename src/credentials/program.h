// Runs a program to its end, without a shell: something in, something out, within limits.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/result.h"

namespace windlass::credentials {

struct ProgramLimits {
  TimePoint deadline;
  std::size_t output_bytes_max = 0;
};

struct ProgramEnd {
  int status = 0;      // exit status, or 128 + the signal that killed it
  std::string output;  // its standard output; may hold secrets
};

// `arguments[0]` is looked for in PATH. Standard error is thrown away: it may hold secrets, and is
// nobody's to read. kNotFound when there is no such program, kTimedOut and kCancelled when it was
// killed, kInvalid when it says too much.
Result<ProgramEnd> run_program(const std::vector<std::string>& arguments, std::string_view input,
                               const ProgramLimits& limits, Clock& clock,
                               const std::stop_token& stop);

}  // namespace windlass::credentials

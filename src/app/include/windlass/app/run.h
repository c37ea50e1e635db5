// The program, as a function.
#pragma once

#include <span>
#include <stop_token>
#include <string>

#include "windlass/app/exit_code.h"
#include "windlass/app/interruption.h"
#include "windlass/app/streams.h"

namespace windlass::app {

// Runs `windlass ARGUMENTS...`. Results go to `streams.out`, everything else to `streams.err`. When
// `stop` is requested the work ends at once with kInterrupted, files whole.
ExitCode run(std::span<const std::string> arguments, const Streams& streams,
             const Environment& environment, Interruption& interruption, std::stop_token stop);

}  // namespace windlass::app

// windlass resolve: tells the digests that references have now.
#pragma once

#include <stop_token>

#include "commands.h"
#include "console.h"
#include "observation.h"
#include "windlass/app/exit_code.h"
#include "windlass/app/streams.h"
#include "windlass/base/clock.h"

namespace windlass::app {

// Answers come in input order, each as soon as it and all before it are known.
ExitCode run_resolve(const ResolveCommand& command, const Streams& streams,
                     const Environment& environment, Clock& clock, Console& console,
                     Observation& observation, const std::stop_token& stop);

}  // namespace windlass::app

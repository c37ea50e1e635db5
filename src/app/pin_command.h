// windlass pin: writes digests into manifests.
#pragma once

#include <stop_token>

#include "commands.h"
#include "console.h"
#include "observation.h"
#include "windlass/app/exit_code.h"
#include "windlass/app/interruption.h"
#include "windlass/app/streams.h"
#include "windlass/base/clock.h"

namespace windlass::app {

// Nothing is written unless everything could be done, or --keep-going was given.
ExitCode run_pin(const PinCommand& command, const Streams& streams, const Environment& environment,
                 Clock& clock, Console& console, Observation& observation,
                 Interruption& interruption, const std::stop_token& stop);

}  // namespace windlass::app

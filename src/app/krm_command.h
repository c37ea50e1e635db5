// windlass krm: pins the items of a ResourceList, as functions of kustomize and kpt do.
#pragma once

#include <stop_token>

#include "commands.h"
#include "console.h"
#include "observation.h"
#include "windlass/app/exit_code.h"
#include "windlass/app/streams.h"
#include "windlass/base/clock.h"

namespace windlass::app {

// kCheckFailed when a result is an error: then no item is changed. kInput, and nothing on standard
// output, when the input is no ResourceList.
ExitCode run_krm(const KrmCommand& command, const Streams& streams, const Environment& environment,
                 Clock& clock, Console& console, Observation& observation,
                 const std::stop_token& stop);

}  // namespace windlass::app

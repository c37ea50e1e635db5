// The program's exit codes, which scripts may rely on.
#pragma once

#include "windlass/base/error.h"

namespace windlass::app {

enum class ExitCode {
  kDone = 0,           // done, or nothing to do
  kCheckFailed = 1,    // a check found unpinned or changed images
  kUsage = 2,          // wrong usage
  kInput = 3,          // an input could not be read, parsed or written
  kRegistryNo = 4,     // a registry said no: missing, denied
  kRegistryGone = 5,   // a registry could not be asked: unreachable, throttled, timed out
  kInternal = 70,      // our bug
  kInterrupted = 130,  // ended by a signal
  kReaderGone = 141,   // standard output was a pipe, and its reader went away: as by SIGPIPE
};

// The one that is reported when both apply: an interrupt or our bug first, then 3, 5, 4, 1, 141.
ExitCode worse(ExitCode a, ExitCode b);

// For a lookup that ended with `code`.
ExitCode exit_code_of_lookup(ErrorCode code);

}  // namespace windlass::app

#include "windlass/app/exit_code.h"

#include <algorithm>
#include <array>

namespace windlass::app {

ExitCode worse(ExitCode a, ExitCode b) {
  constexpr std::array kWorstFirst = {
      ExitCode::kInternal,    ExitCode::kInterrupted,  ExitCode::kUsage,
      ExitCode::kInput,       ExitCode::kRegistryGone, ExitCode::kRegistryNo,
      ExitCode::kCheckFailed, ExitCode::kReaderGone,   ExitCode::kDone};
  return std::min(a, b, [&](ExitCode x, ExitCode y) {
    return std::ranges::find(kWorstFirst, x) < std::ranges::find(kWorstFirst, y);
  });
}

ExitCode exit_code_of_lookup(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound:
    case ErrorCode::kUnauthenticated:
    case ErrorCode::kForbidden:
    case ErrorCode::kCorrupt:
    case ErrorCode::kConflict: return ExitCode::kRegistryNo;
    case ErrorCode::kThrottled:
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimedOut:
    // An answer that cannot be used, a certificate that is not trusted: nobody said no.
    case ErrorCode::kInvalid: return ExitCode::kRegistryGone;
    case ErrorCode::kCancelled: return ExitCode::kInterrupted;
    case ErrorCode::kInternal: return ExitCode::kInternal;
  }
  return ExitCode::kInternal;
}

}  // namespace windlass::app

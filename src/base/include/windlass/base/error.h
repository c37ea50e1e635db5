// Error: why something could not be done, said for whoever has to act on it.
//
// The code names the receiver's next step, not the place the error came from. The message is for
// people; context is put in front while the error travels up: "resolve nginx:1.27: fetch token from
// auth.docker.io: timed out after 10 s". A message never holds a secret.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "windlass/base/time.h"

namespace windlass {

enum class ErrorCode {
  kInvalid,          // fix the input
  kNotFound,         // it does not exist; create it or ask for something else
  kUnauthenticated,  // get credentials
  kForbidden,        // the credentials are known and not enough: ask a human
  kThrottled,        // wait `retry_after`, then try again
  kUnavailable,      // back off and try again
  kTimedOut,         // the deadline passed; try again with more time
  kConflict,         // read again, then try again
  kCancelled,        // somebody asked for this to end: stop quietly
  kCorrupt,          // content does not match its digest: never retry, raise an alarm
  kInternal,         // our bug
};

// "invalid", "not-found", ...: stable words, used in machine-readable output.
std::string_view to_string(ErrorCode code);

// The one place that decides whether the same call may succeed later without anybody changing
// anything.
bool is_retryable(ErrorCode code);

struct [[nodiscard]] Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::optional<Duration> retry_after = std::nullopt;  // how long the other side asked us to wait

  // The same error with "context: " in front of its message.
  Error with_context(std::string_view context) &&;
  Error with_context(std::string_view context) const&;

  friend bool operator==(const Error&, const Error&) = default;
};

}  // namespace windlass

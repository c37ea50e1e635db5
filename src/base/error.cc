#include "windlass/base/error.h"

#include <utility>

namespace windlass {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid: return "invalid";
    case ErrorCode::kNotFound: return "not-found";
    case ErrorCode::kUnauthenticated: return "unauthenticated";
    case ErrorCode::kForbidden: return "forbidden";
    case ErrorCode::kThrottled: return "throttled";
    case ErrorCode::kUnavailable: return "unavailable";
    case ErrorCode::kTimedOut: return "timed-out";
    case ErrorCode::kConflict: return "conflict";
    case ErrorCode::kCancelled: return "cancelled";
    case ErrorCode::kCorrupt: return "corrupt";
    case ErrorCode::kInternal: return "internal";
  }
  return "internal";
}

bool is_retryable(ErrorCode code) {
  switch (code) {
    case ErrorCode::kThrottled:
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimedOut:
    case ErrorCode::kConflict: return true;
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
    case ErrorCode::kUnauthenticated:
    case ErrorCode::kForbidden:
    case ErrorCode::kCancelled:
    case ErrorCode::kCorrupt:
    case ErrorCode::kInternal: return false;
  }
  return false;
}

Error Error::with_context(std::string_view context) && {
  std::string prefixed;
  prefixed.reserve(context.size() + 2 + message.size());
  prefixed.append(context).append(": ").append(message);
  message = std::move(prefixed);
  return std::move(*this);
}

Error Error::with_context(std::string_view context) const& {
  return Error(*this).with_context(context);
}

}  // namespace windlass

#include "status.h"

#include "windlass/base/format.h"
#include "windlass/base/number.h"
#include "windlass/base/text.h"
#include "windlass/credentials/section.h"

namespace windlass::kube {
namespace {

constexpr std::chrono::seconds kRetryAfterMax{3600};

ErrorCode code_of(int status) {
  switch (status) {
    case 401: return ErrorCode::kUnauthenticated;
    case 403: return ErrorCode::kForbidden;
    case 404: return ErrorCode::kNotFound;
    case 409:
    case 410: return ErrorCode::kConflict;
    case 429: return ErrorCode::kThrottled;
    case 408:
    case 504: return ErrorCode::kTimedOut;
    default: return status >= 500 ? ErrorCode::kUnavailable : ErrorCode::kInvalid;
  }
}

std::string_view advice(int status) {
  switch (status) {
    case 401: return "; log in anew, or check the credentials";
    case 403: return "; a Role and a RoleBinding have to allow it";
    default: break;
  }
  if (status >= 300 && status < 400)
    return "; an API server does not redirect: check the server's address";
  return "";
}

std::optional<Duration> seconds_of(std::string_view text) {
  const auto seconds = parse_number<std::int64_t>(text);
  if (!seconds || *seconds < 0) return std::nullopt;
  return std::min<Duration>(std::chrono::seconds(std::min<std::int64_t>(*seconds, 1'000'000)),
                            kRetryAfterMax);
}

}  // namespace

Error describe_status(const http::Response& response) {
  Error error{.code = code_of(response.status), .message = format("status {}", response.status)};
  if (const std::string* header = response.headers.find("retry-after"))
    error.retry_after = seconds_of(trim(*header));
  if (const auto body = credentials::parse_json(response.body, "answer")) {
    credentials::Section::Problems ignored;
    const credentials::Section status(*body, "answer", "", ignored);
    const std::string message = status.text("message");
    if (status.text("kind") == "Status" && !message.empty())
      error.message += ": " + printable(message, 500);
    if (const auto details = status.section("details"); details && !error.retry_after) {
      const std::string seconds = details->text("retryAfterSeconds");
      if (!seconds.empty() && seconds != "0") error.retry_after = seconds_of(seconds);
    }
  }
  error.message += advice(response.status);
  return error;
}

}  // namespace windlass::kube

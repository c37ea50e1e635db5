#include "windlass/kube/api_client.h"

#include <algorithm>

#include "session.h"
#include "status.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::kube {
namespace {

bool is_transient(const Error& error) {
  return is_retryable(error.code) && error.code != ErrorCode::kConflict;
}

// The http client's advice is for registries.
Error in_our_words(Error error, const Connection& connection) {
  const std::size_t advice = error.message.find("; if the server is the right one");
  if (advice != std::string::npos) {
    error.message.resize(advice);
    error.message += format(
        "; if the server is the right one, its CA belongs into the certificate-authority of {}",
        connection.source);
  }
  return error;
}

}  // namespace

ApiClient::ApiClient(Clock& clock, Connection connection, ApiOptions options, std::uint64_t seed,
                     HttpFactory http)
    : clock_(clock),
      connection_(std::move(connection)),
      options_(std::move(options)),
      session_(std::make_unique<Session>(clock, connection_, options_, std::move(http))),
      random_(seed) {}

ApiClient::~ApiClient() = default;

Duration ApiClient::pause(int attempt, const Error& error) {
  if (error.retry_after) return *error.retry_after;
  MutexLock lock(mutex_);
  const auto factor = std::int64_t{1} << std::min(attempt, 20);
  return random_.up_to(std::min(options_.backoff_base * factor, options_.backoff_max));
}

Result<credentials::Value> ApiClient::get(const std::string& path, const std::string& what,
                                          const std::stop_token& stop) {
  const TimePoint deadline = saturating_add(clock_.now(), options_.timeout);
  const auto give_up = [&](const Error& error) {
    return fail(error,
                format("read {} from {} ({})", what, connection_.server, connection_.source));
  };
  bool renewed = false;
  for (int attempt = 0;; ++attempt) {
    Attempt tried = try_once(path, deadline, stop);
    if (tried.result) return std::move(tried.result);
    const Error& error = tried.result.error();
    if (tried.refused && !renewed && session_->refused(tried.session)) {
      renewed = true;
      continue;
    }
    if (!is_transient(error) || attempt + 1 >= options_.attempts_max) return give_up(error);
    const TimePoint next = saturating_add(clock_.now(), pause(attempt, error));
    if (next >= deadline) return give_up(error);
    if (!clock_.sleep_until(next, stop)) return give_up({ErrorCode::kCancelled, "cancelled"});
  }
}

ApiClient::Attempt ApiClient::try_once(const std::string& path, TimePoint deadline,
                                       const std::stop_token& stop) {
  Result<Session::Use> use = session_->current(stop);
  if (!use) return {.result = fail(std::move(use.error()))};
  // It would end the header line, and begin another.
  if (std::ranges::any_of(use->authorization.reveal(), [](char c) { return c >= 0 && c < ' '; })) {
    return {.result = fail(ErrorCode::kInvalid,
                           "the token holds a line break or another control character; check where "
                           "it comes from")};
  }
  http::Request request{.url = connection_.server + path,
                        .timeout = std::min(options_.request_timeout, deadline - clock_.now()),
                        .body_bytes_max = options_.body_bytes_max};
  request.any_certificate = connection_.any_certificate;
  request.headers.add("Accept", "application/json");
  if (!use->authorization.empty())
    request.headers.add("Authorization", std::string(use->authorization.reveal()));
  for (const auto& [name, value] : connection_.identity.impersonation)
    request.headers.add(name, value);
  if (request.timeout <= Duration::zero())
    return {.result = fail(ErrorCode::kTimedOut, "no time is left")};
  Result<http::Response> response = use->http->send_blocking(std::move(request), stop);
  if (!response) return {.result = fail(in_our_words(std::move(response.error()), connection_))};
  Attempt attempt{.result = fail(ErrorCode::kInternal, ""),
                  .refused = response->status == 401,
                  .session = use->number};
  if (response->status != 200) {
    attempt.result = fail(describe_status(*response));
  } else if (Result<credentials::Value> body = credentials::parse_json(response->body, "answer")) {
    attempt.result = std::move(body);
  } else {
    attempt.result = fail(ErrorCode::kInvalid, "the answer is not JSON: is this an API server?");
  }
  credentials::erase(response->body);
  return attempt;
}

}  // namespace windlass::kube

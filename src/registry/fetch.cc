#include "fetch.h"

#include <algorithm>

#include "answer.h"
#include "echo.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::registry {
namespace {

constexpr int kRedirectsMax = 10;
constexpr std::string_view kAskItsOwner = "; check the name, or ask who runs it to mend that";

Error parked(const std::string& host, Duration left) {
  return {.code = ErrorCode::kThrottled,
          .message = format("{} wants to be left alone for another {}", host, to_text(left)),
          .retry_after = left};
}

// Where `response` sends us, if we may go there.
Result<http::Url> redirect_target(const Trust& trust, const http::Url& url,
                                  const http::Response& response) {
  const std::string* location = response.headers.find("location");
  if (location == nullptr) {
    return fail(ErrorCode::kInvalid, format("{} redirects ({}) without saying where to{}",
                                            url.authority(), response.status, kAskItsOwner));
  }
  Result<http::Url> target = url.resolve(*location);
  if (!target) {
    return fail(ErrorCode::kInvalid, format("{} redirects: {}{}", url.authority(),
                                            target.error().message, kAskItsOwner));
  }
  if (url.is_https() && !target->is_https()) {
    return fail(ErrorCode::kInvalid,
                format("{} redirects from https to {}, which is not followed{}", url.authority(),
                       target->shown(), kAskItsOwner));
  }
  if (!trust.may_lead(url, *target)) {
    return fail(ErrorCode::kInvalid,
                format("{} redirects to {}, an address in our own network, which is not followed; "
                       "if that is meant, allow it with --trust-realm {}",
                       url.authority(), target->shown(), target->authority()));
  }
  if (!trust.may_ask(*target)) {
    return fail(ErrorCode::kInvalid,
                format("{} redirects to {}; if that is meant to be asked without encryption, allow "
                       "it with --plain-http {}",
                       url.authority(), target->shown(), target->authority()));
  }
  return target;
}

void note_retry_after(Context& context, const http::Url& url, const http::Response& response) {
  if (response.status != 429 && response.status != 503) return;
  const std::optional<Duration> wait = retry_after(response);
  if (!wait) return;
  context.hosts.park(url.authority(),
                     context.clock.now() + std::min<Duration>(*wait, kLongestPause));
}

// Whatever way it is left, no login stays in memory that is given back.
struct Eraser {
  explicit Eraser(http::Request& request_in) : request(request_in) {}
  ~Eraser() {
    request.headers.erase_values();
    credentials::erase(request.body);
  }
  Eraser(const Eraser&) = delete;
  Eraser& operator=(const Eraser&) = delete;

  http::Request& request;
};

Task<Result<http::Response>> send_once(Context& context, http::Request request, TimePoint deadline,
                                       std::stop_token stop) {
  const TimePoint now = context.clock.now();
  request.timeout =
      std::min(context.options.request_timeout, std::max(deadline - now, Duration(1)));
  Completion<Result<http::Response>> answered(
      [&](http::Callback done) { context.client.send(std::move(request), stop, std::move(done)); });
  co_return co_await answered;
}

// Waits while `host` is parked. An error when that lasts past the deadline.
Task<std::optional<Error>> await_parking(Context& context, std::string host, TimePoint deadline,
                                         std::stop_token stop) {
  for (;;) {
    const TimePoint now = context.clock.now();
    const TimePoint until = context.hosts.parked_until(host);
    if (until <= now) co_return std::nullopt;
    if (until >= deadline) co_return parked(host, until - now);
    Task<bool> sleep = context.timers.pause_until(until, stop);
    co_await sleep;
    if (stop.stop_requested())
      co_return Error{.code = ErrorCode::kCancelled, .message = "cancelled"};
  }
}

}  // namespace

Task<Result<Answer>> fetch(Context& context, http::Request request, Trust trust, TimePoint deadline,
                           std::stop_token stop) {
  const Eraser eraser(request);
  Result<http::Url> url = http::Url::parse(request.url);
  const std::string redirected_by = url ? url->authority() : std::string();
  bool elsewhere = false;
  for (int redirects = 0; url; ++redirects) {
    Task<std::optional<Error>> parking = await_parking(context, url->authority(), deadline, stop);
    std::optional<Error> in_the_way = co_await parking;
    if (in_the_way) co_return fail(*std::move(in_the_way));

    request.url = url->to_string();
    request.any_certificate = trust.takes_any_certificate(*url);
    Task<Result<http::Response>> sending = send_once(context, request, deadline, stop);
    Result<http::Response> response = co_await sending;
    if (!response) co_return fail(std::move(response.error()));
    note_retry_after(context, *url, *response);
    mask_login(*response, request);
    if (!is_redirect(response->status) || request.method == http::Method::kPost)
      co_return Answer{*std::move(response), *url, elsewhere};
    if (redirects == kRedirectsMax) {
      co_return fail(ErrorCode::kInvalid,
                     format("{} redirects more than {} times, in the end to {}{}", redirected_by,
                            kRedirectsMax, without_login(url->shown(), request), kAskItsOwner));
    }
    Result<http::Url> target = redirect_target(trust, *url, *response);
    if (!target) target.error().message = without_login(std::move(target.error().message), request);
    if (target && !target->same_origin(*url)) {
      elsewhere = true;
      request.headers.erase("Authorization");
    }
    url = std::move(target);
  }
  co_return fail(std::move(url.error()));
}

}  // namespace windlass::registry

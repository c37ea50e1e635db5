#include "lookup.h"

#include "answer.h"
#include "retry.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::registry {
namespace {

// Some servers hang up on HEAD. After so many broken connections GET is tried instead.
constexpr int kBrokenHeadsMax = 2;

std::string next_step(const Error& error, const image::ImageReference& reference, bool anonymous) {
  const std::string& registry = reference.registry();
  switch (error.code) {
    case ErrorCode::kNotFound:
      return anonymous ? format("check the name and the tag; a private image needs a login to {}",
                                registry)
                       : "check the name and the tag";
    case ErrorCode::kUnauthenticated: return "log in to " + registry;
    case ErrorCode::kForbidden:
      return anonymous ? "log in to " + registry : "ask its owner for access";
    case ErrorCode::kThrottled:
      return error.retry_after ? "try again in " + to_text(*error.retry_after) : "try again later";
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimedOut: return "try again later";
    default: return {};
  }
}

}  // namespace

Lookup::Lookup(Context& context, image::ImageReference reference, http::Url url,
               std::shared_ptr<credentials::Keychain> keychain, TimePoint deadline,
               std::stop_token stop)
    : context_(context),
      reference_(std::move(reference)),
      url_(std::move(url)),
      deadline_(deadline),
      stop_(std::move(stop)),
      login_(context, reference_, url_, std::move(keychain), stop_) {}

Task<Result<Resolution>> Lookup::run() {
  RetrySchedule schedule({.attempts_max = context_.options.attempts_max,
                          .backoff_base = context_.options.backoff_base,
                          .backoff_max = context_.options.backoff_max},
                         deadline_);
  for (;;) {
    Task<Result<Resolution>> trying = attempt();
    Result<Resolution> result = co_await trying;
    if (result || stop_.stop_requested()) co_return result;
    std::optional<TimePoint> when;
    {
      MutexLock lock(context_.random_mutex);
      when = schedule.next(result.error(), context_.clock.now(), context_.random);
    }
    if (!when) co_return fail(explain(std::move(result.error()), schedule.attempts()));
    last_error_ = std::move(result.error());
    Task<bool> sleep = context_.timers.pause_until(*when, stop_);
    co_await sleep;
    if (stop_.stop_requested()) co_return fail(ErrorCode::kCancelled, "cancelled");
  }
}

Task<Result<Resolution>> Lookup::attempt() {
  if (broken_heads_ < kBrokenHeadsMax) {
    Task<Result<Answer>> asking = ask(http::Method::kHead);
    Result<Answer> answer = co_await asking;
    if (!answer) {
      if (answer.error().code == ErrorCode::kUnavailable) ++broken_heads_;
      co_return fail(std::move(answer.error()));
    }
    std::optional<Result<Manifest>> manifest = read_head(answer->response);
    if (manifest) co_return conclude(*std::move(manifest), http::Method::kHead);
  }
  Task<Result<Answer>> asking = ask(http::Method::kGet);
  Result<Answer> answer = co_await asking;
  if (!answer) co_return fail(std::move(answer.error()));
  co_return conclude(read_get(answer->response), http::Method::kGet);
}

Task<Result<Answer>> Lookup::ask(http::Method method) {
  for (;;) {
    Task<Result<std::string>> identifying = login_.authorization();
    Result<std::string> authorization = co_await identifying;
    if (!authorization) co_return fail(std::move(authorization.error()));

    http::Request request;
    request.method = method;
    request.url = url_.to_string();
    request.body_bytes_max = context_.options.manifest_bytes_max;
    request.headers.add("Accept", std::string(kAcceptedTypes));
    if (!authorization->empty()) request.headers.add("Authorization", *authorization);
    credentials::erase(*authorization);
    Task<Result<Answer>> fetching = fetch(context_, std::move(request), deadline_, stop_);
    Result<Answer> answer = co_await fetching;
    if (!answer) co_return answer;
    if (answer->elsewhere && answer->response.status == 401) {
      co_return fail(ErrorCode::kUnauthenticated,
                     format("{} redirects to {}, which wants a login of its own", url_.authority(),
                            answer->url.authority()));
    }
    if (answer->elsewhere || !login_.learn(answer->response)) co_return answer;
  }
}

Result<Resolution> Lookup::conclude(Result<Manifest> manifest, http::Method method) const {
  if (!manifest) {
    return fail(std::move(manifest.error()),
                format("{} {} of {} ({})", url_.authority(), http::to_string(method),
                       printable(url_.path()), login_.shown()));
  }
  return Resolution{.reference = reference_,
                    .digest = manifest->digest,
                    .media_type = printable(manifest->media_type),
                    .size = manifest->size,
                    .credential_source = login_.shown(),
                    .asked = true};
}

Error Lookup::explain(Error error, int attempts) const {
  const std::string step = next_step(error, reference_, login_.is_anonymous());
  if (attempts > 1) error.message += format(" (tried {} times)", attempts);
  if (!step.empty()) error.message += "; " + step;
  return std::move(error).with_context(printable(reference_.written(), 400));
}

}  // namespace windlass::registry

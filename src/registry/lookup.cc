#include "lookup.h"

#include <algorithm>

#include "retry.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::registry {
namespace {

// What is known of the registry that the error is of.
struct Asked {
  std::string registry;  // under which logins are kept
  bool has_that_name;    // and which is the name of the host that was asked
  bool anonymous;
  bool has_idle_login;  // one is known, and not asked for
  bool may_log_in;      // in a way that is known here
  bool was_answered;
  std::optional<int> refusal;  // the status, where the registry itself refused
};

std::string next_step_where_forbidden(const Asked& asked, const std::string& there) {
  // Else it is a token service that refused, as a registry does.
  switch (asked.refusal.value_or(403)) {
    case 403:
      if (asked.has_idle_login) return "ask its owner how to log in";
      return asked.anonymous ? "log in " + there : "ask its owner for access";
    case 402:
    case 451: return "ask its owner for access";
    case 400:
      if (!asked.anonymous) return "check the name and the login";
      [[fallthrough]];
    default: return "check the name, and that it is a registry";
  }
}

bool is_outside_protocol(int status) { return status != 200 && status != 400 && status != 407; }

std::string next_step(const Error& error, const Asked& asked) {
  // The host stands in the image's name, and in what it answered.
  const std::string there = asked.has_that_name ? "there" : "to " + asked.registry;
  switch (error.code) {
    case ErrorCode::kNotFound:
      if (asked.refusal == 200) return "name one of these with --platform";
      return asked.anonymous && !asked.has_idle_login
                 ? format("check the name and the tag; a private image needs a login {}", there)
                 : "check the name and the tag";
    case ErrorCode::kUnauthenticated:
      return asked.may_log_in ? "log in " + there : "ask who runs it for Bearer or Basic";
    case ErrorCode::kForbidden: return next_step_where_forbidden(asked, there);
    case ErrorCode::kThrottled:
      return error.retry_after ? "try again in " + to_text(*error.retry_after) : "try again later";
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimedOut:
      return asked.was_answered ? "try again later"
                                : "check the host's name and port, or try again later";
    case ErrorCode::kInvalid:
      // An answer outside the protocol; any other error of this kind says what to mend.
      return asked.refusal && is_outside_protocol(*asked.refusal)
                 ? "check the name, and that it is a registry"
                 : "";
    case ErrorCode::kCorrupt:
      return "do not use what was sent; ask who runs it, or whatever is on the way to it";
    case ErrorCode::kInternal: return "report it as a fault of windlass";
    case ErrorCode::kConflict:
    case ErrorCode::kCancelled: break;
  }
  return {};
}

}  // namespace

Lookup::Lookup(Context& context, image::ImageReference reference, std::vector<Source> sources,
               const LookupOptions& options, TimePoint deadline, std::stop_token stop)
    : context_(context),
      reference_(std::move(reference)),
      question_{.platform = options.platform, .verify = options.verify},
      keychain_(options.keychain != nullptr ? options.keychain : context.keychain),
      deadline_(deadline),
      stop_(std::move(stop)) {
  for (Source& source : sources) {
    const bool known_plain =
        source.urls.size() > 1 && context_.hosts.is_plain(source.urls.front().authority());
    places_.push_back({.source = std::move(source), .url = known_plain ? 1U : 0U});
  }
}

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
    if (const auto& tell = context_.options.on_failed_attempt; tell != nullptr) {
      tell({.reference = reference_,
            .error = result.error(),
            .attempts = schedule.attempts(),
            .pause = *when - context_.clock.now()});
    }
    last_error_ = std::move(result.error());
    Task<bool> sleep = context_.timers.pause_until(*when, stop_);
    co_await sleep;
    if (stop_.stop_requested()) co_return fail(ErrorCode::kCancelled, "cancelled");
  }
}

Task<Result<Resolution>> Lookup::attempt() {
  for (Place& place : places_) {
    const bool is_last = &place == &places_.back();
    const TimePoint now = context_.clock.now();
    if (!is_last &&
        (place.given_up || context_.hosts.is_resting(place.source.urls.front().authority(), now)))
      continue;
    const TimePoint until =
        is_last ? deadline_
                : std::min(deadline_, saturating_add(now, context_.options.mirror_timeout));
    Task<Result<Found>> asking = ask(place, until);
    Result<Found> found = co_await asking;
    if (found) co_return resolution(place, *found);
    if (is_last || stop_.stop_requested()) co_return fail(std::move(found.error()));
    pass_over(place, std::move(found.error()));
  }
  co_return fail(ErrorCode::kInternal, "an image without a source");
}

// An insecure registry is asked with TLS, and without where there is no TLS to be had. A server
// that has answered once, or is slow, is not asked in another way.
Task<Result<Found>> Lookup::ask(Place& place, TimePoint deadline) {
  const std::vector<http::Url>& urls = place.source.urls;
  std::string before;
  for (;;) {
    if (place.inquiry == nullptr) {
      place.inquiry = std::make_unique<Inquiry>(context_, place.source.reference, urls[place.url],
                                                place.source.trust, keychain_, question_, stop_);
    }
    Task<Result<Found>> asking = place.inquiry->attempt(deadline);
    Result<Found> found = co_await asking;
    if (place.inquiry->was_answered()) {
      if (place.url > 0) context_.hosts.remember_plain(urls.front().authority());
      co_return found;
    }
    if (found || stop_.stop_requested()) co_return found;
    const ErrorCode code = found.error().code;
    const bool has_another = place.url + 1 < urls.size() &&
                             (code == ErrorCode::kInvalid || code == ErrorCode::kUnavailable);
    if (!has_another) {
      if (before.empty()) co_return found;
      found.error().message = before + "; without TLS: " + found.error().message;
      place.url = 0;
      place.inquiry.reset();
      co_return found;
    }
    before = found.error().message;
    ++place.url;
    place.inquiry.reset();
  }
}

void Lookup::pass_over(Place& mirror, Error error) {
  const bool is_out_of_reach =
      error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kTimedOut;
  const std::string host = mirror.source.urls.front().authority();
  if (is_out_of_reach) {
    context_.hosts.rest(host, saturating_add(context_.clock.now(), context_.options.mirror_rest));
    context_.logger.warn("a mirror cannot be asked and is passed over for a while",
                         {{"mirror", host}, {"reason", error.message}});
  }
  mirror.given_up = !is_retryable(error.code);
  mirror.trouble = std::move(error);
}

Resolution Lookup::resolution(const Place& place, const Found& found) const {
  const image::ImageReference& there = place.source.reference;
  return Resolution{.reference = reference_,
                    .digest = found.manifest.digest,
                    .media_type = printable(found.manifest.media_type),
                    .size = found.manifest.size,
                    .credential_source = place.inquiry->credential(),
                    .asked = true,
                    .mirror = place.source.is_mirror
                                  ? format("{}/{}", there.registry(), there.repository())
                                  : std::string(),
                    .rate_limit = found.rate_limit,
                    .answered_at = context_.clock.now()};
}

std::string Lookup::explain_timeout() const {
  std::string awaited = reference_.registry();
  std::string_view advice = "check that it can be reached";
  for (const Place& place : places_) {
    if (place.inquiry == nullptr || !place.inquiry->step()) continue;
    awaited = place.inquiry->step()->awaited;
    advice = place.inquiry->step()->advice;
  }
  return format("{}: no answer in time from {}; {}", printable(reference_.written(), 400), awaited,
                last_error_ ? "the last attempt: " + last_error_->message
                            : format("{}, or allow more time", advice));
}

Error Lookup::explain(Error error, int attempts) const {
  const Place& registry = places_.back();
  const Inquiry* const inquiry = registry.inquiry.get();
  const std::string& name = registry.source.reference.registry();
  const std::string step =
      next_step(error, {.registry = name,
                        .has_that_name = registry.source.urls.front().authority() == name,
                        .anonymous = inquiry == nullptr || inquiry->is_anonymous(),
                        .has_idle_login = inquiry != nullptr && inquiry->is_login_unwanted(),
                        .may_log_in = inquiry == nullptr || inquiry->may_log_in(),
                        .was_answered = inquiry != nullptr && inquiry->was_answered(),
                        .refusal = inquiry != nullptr ? inquiry->refusal() : std::nullopt});
  if (attempts > 1) error.message += format(" (tried {} times)", attempts);
  if (!step.empty()) error.message += "; " + step;
  for (const Place& place : places_) {
    if (place.trouble) error.message += "; its mirror before: " + place.trouble->message;
  }
  return std::move(error).with_context(printable(reference_.written(), 400));
}

}  // namespace windlass::registry

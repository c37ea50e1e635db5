#include "inquiry.h"

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/oci/manifest.h"

namespace windlass::registry {
namespace {

// Some servers hang up on HEAD. After so many broken connections GET is tried instead.
constexpr int kBrokenHeadsMax = 2;

}  // namespace

Inquiry::Inquiry(Context& context, const image::ImageReference& reference, http::Url url,
                 Trust trust, std::shared_ptr<credentials::Keychain> keychain, Question question,
                 std::stop_token stop)
    : context_(context),
      reference_(reference),
      url_(std::move(url)),
      trust_(std::move(trust)),
      question_(std::move(question)),
      stop_(std::move(stop)),
      login_(context, reference_, url_, trust_, std::move(keychain), stop_) {}

Task<Result<Found>> Inquiry::attempt(TimePoint deadline) {
  Task<Result<Found>> asking = ask_both(deadline);
  Result<Found> found = co_await asking;
  // Some registries do not ask for a login: to whom they do not know they say that the image may
  // not be read, or that it is not there.
  const bool may_be_hidden = refusal_ == 403 || refusal_ == 404;
  if (found || !may_be_hidden || !is_refused_here_) co_return found;
  Task<bool> seeking = login_.seek(deadline);
  if (!co_await seeking) {
    if (!login_.obstacle().empty()) found.error().message += "; " + login_.obstacle();
    co_return found;
  }
  const int before = *refusal_;
  Task<Result<Found>> asking_again = ask_both(deadline);
  Result<Found> again = co_await asking_again;
  const bool is_login_refused = !again && !refusal_ && !is_retryable(again.error().code);
  if (before != 404 || !is_login_refused || stop_.stop_requested()) co_return again;
  // Most likely it is not there, whatever becomes of the login.
  refusal_ = before;
  co_return fail(found.error().code, found.error().message + "; then " + again.error().message);
}

Task<Result<Found>> Inquiry::ask_both(TimePoint deadline) {
  refusal_.reset();
  if (broken_heads_ < kBrokenHeadsMax && !question_.verify) {
    Task<Result<Answer>> asking = ask(http::Method::kHead, deadline);
    Result<Answer> answer = co_await asking;
    if (!answer) {
      if (answer.error().code == ErrorCode::kUnavailable) ++broken_heads_;
      co_return fail(std::move(answer.error()));
    }
    std::optional<Result<Manifest>> manifest = read_head(answer->response);
    if (manifest && settles(*manifest))
      co_return conclude(*std::move(manifest), answer->response, http::Method::kHead);
  }
  Task<Result<Answer>> asking = ask(http::Method::kGet, deadline);
  Result<Answer> answer = co_await asking;
  if (!answer) co_return fail(std::move(answer.error()));
  co_return conclude(read_body(answer->response), answer->response, http::Method::kGet);
}

// For one platform the index itself is needed, and what may be one.
bool Inquiry::settles(const Result<Manifest>& head) const {
  return !question_.platform || !head || oci::is_image_type(head->media_type);
}

Result<Manifest> Inquiry::read_body(const http::Response& response) const {
  Result<Manifest> manifest = read_get(response);
  if (!manifest) return manifest;
  if (reference_.digest() && !reference_.digest()->matches(response.body)) {
    return fail(ErrorCode::kCorrupt,
                format("what was sent is not {}: it has the digest {}",
                       reference_.digest()->to_string(), manifest->digest.to_string()));
  }
  const std::string* claimed = response.headers.find("docker-content-digest");
  if (claimed != nullptr && claimed->starts_with("sha256:") &&
      *claimed != manifest->digest.to_string()) {
    context_.logger.warn("a registry's digest header is wrong; the bytes count",
                         {{"registry", url_.authority()}, {"repository", reference_.repository()}});
  }
  if (!question_.platform) return manifest;
  return choose_platform(response, *std::move(manifest), *question_.platform);
}

Task<Result<Answer>> Inquiry::ask(http::Method method, TimePoint deadline) {
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
    Task<Result<Answer>> fetching = fetch(context_, std::move(request), trust_, deadline, stop_);
    Result<Answer> answer = co_await fetching;
    if (!answer) co_return answer;
    was_answered_ = true;
    is_refused_here_ = !answer->elsewhere;
    if (answer->elsewhere && answer->response.status == 401) {
      Task<Result<Answer>> asking = ask_elsewhere(method, *std::move(answer), deadline);
      co_return co_await asking;
    }
    if (answer->elsewhere || !login_.learn(answer->response)) co_return answer;
  }
}

// Where we were redirected to nobody knows us, and no login of ours belongs there. Some storage
// still wants a token that it gives to anybody.
Task<Result<Answer>> Inquiry::ask_elsewhere(http::Method method, Answer refusal,
                                            TimePoint deadline) {
  const std::string host = refusal.url.authority();
  Result<Answer> answer = fail(ErrorCode::kUnauthenticated, "a login is wanted");
  if (!is_guest_) {
    Inquiry guest(context_, reference_, refusal.url, trust_,
                  std::make_shared<credentials::AnonymousKeychain>(), question_, stop_);
    guest.is_guest_ = true;
    guest.login_.learn(refusal.response);
    Task<Result<Answer>> asking = guest.ask(method, deadline);
    answer = co_await asking;
    if (answer) answer->elsewhere = true;
  }
  const bool is_refused =
      !answer && !is_retryable(answer.error().code) && answer.error().code != ErrorCode::kCancelled;
  if (!is_refused) co_return answer;
  co_return fail(
      ErrorCode::kInvalid,
      format("{} redirects to {}, which wants a login of its own, and none is sent there; ask who "
             "runs {} to mend that",
             url_.authority(), host, url_.authority()));
}

Result<Found> Inquiry::conclude(Result<Manifest> manifest, const http::Response& response,
                                http::Method method) {
  if (!manifest) {
    refusal_ = response.status;
    return fail(std::move(manifest.error()),
                format("{} {} of {} ({})", url_.authority(), http::to_string(method),
                       printable(url_.path()), login_.shown()));
  }
  const std::optional<RateLimit> rate = rate_limit(response);
  if (rate && context_.hosts.note_rate(url_.authority(), rate->remaining < rate->limit / 10)) {
    context_.logger.warn(
        "a registry will soon answer no more for a while",
        {{"registry", url_.authority()}, {"limit", rate->limit}, {"remaining", rate->remaining}});
  }
  return Found{.manifest = *std::move(manifest), .rate_limit = rate};
}

}  // namespace windlass::registry

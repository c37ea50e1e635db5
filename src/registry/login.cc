#include "login.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <thread>

#include "answer.h"
#include "exchange.h"
#include "fetch.h"
#include "realm_policy.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/base64.h"

namespace windlass::registry {
namespace {

using credentials::Credential;
using Kind = Credential::Kind;

// A registry may ask differently once it knows more, but not for ever.
constexpr int kChallengesMax = 3;

Error error(ErrorCode code, std::string message) {
  return {.code = code, .message = std::move(message)};
}

// A keychain may be slow and heed no stop. Of its answer and the stop, the first counts.
class FirstAnswer {
 public:
  explicit FirstAnswer(credentials::Keychain::Callback done) : done_(std::move(done)) {}

  // True for the first, who then has to give the answer.
  bool is_first() { return !came_.exchange(true); }
  void give(credentials::Found found) { done_(std::move(found)); }

  // Whether the keychain is being asked on this very thread, and so will be left at once.
  bool is_in_question() const { return std::this_thread::get_id() == asker_ && asking_; }
  void end_question() { asking_ = false; }

 private:
  credentials::Keychain::Callback done_;
  std::atomic<bool> came_ = false;
  const std::thread::id asker_ = std::this_thread::get_id();
  bool asking_ = true;  // belongs to the asker's thread
};

std::string basic_header(const Credential& credential) {
  std::string login = credential.user() + ':' + std::string(credential.secret().reveal());
  std::string header = "Basic " + credentials::base64_encode(login);
  credentials::erase(login);
  return header;
}

}  // namespace

Login::Login(Context& context, const image::ImageReference& reference, http::Url registry,
             Trust trust, std::shared_ptr<credentials::Keychain> keychain, std::stop_token stop)
    : context_(context),
      reference_(reference),
      registry_(std::move(registry)),
      trust_(std::move(trust)),
      keychain_(std::move(keychain)),
      stop_(std::move(stop)),
      challenge_(context.hosts.challenge(registry_.authority())),
      is_hint_(challenge_.has_value()) {}

const Credential* Login::current() const {
  return challenge_ && at_ < candidates_.size() ? &candidates_[at_] : nullptr;
}

std::string Login::shown() const { return current() == nullptr ? "anonymous" : current()->shown(); }

bool Login::is_anonymous() const { return current() == nullptr || current()->is_anonymous(); }

Task<Result<std::string>> Login::authorization() {
  for (;;) {
    if (unusable_) co_return fail(*unusable_);
    token_key_.clear();
    if (!challenge_) co_return std::string();
    if (!loaded_) {
      Task<bool> loading = load_candidates();
      co_await loading;
    }
    if (at_ == candidates_.size()) {
      Error error = nothing_left();
      // Nothing but the keychain is in the way: the next attempt asks it again.
      if (is_retryable(error.code) && candidates_.front().is_anonymous()) loaded_ = false;
      co_return fail(std::move(error));
    }
    Task<Result<std::string>> making = header_for(candidates_[at_]);
    Result<std::string> header = co_await making;
    if (header) co_return header;
    const ErrorCode code = header.error().code;
    if (is_retryable(code) || code == ErrorCode::kCancelled) co_return header;
    if (is_hint_) {
      // What another repository needs may not be what this one needs: let it ask itself.
      is_hint_ = false;
      sought_ = true;
      obstacle_ = format("{}: {}", candidates_[at_].shown(), header.error().message);
      challenge_.reset();
    } else {
      refuse_current(code, header.error().message);
    }
  }
}

Task<bool> Login::load_candidates() {
  std::optional<std::stop_callback<std::function<void()>>> on_stop;
  step_ = Step{.awaited = "where its login is kept", .advice = "try the credential helper by hand"};
  Completion<credentials::Found> answered([&](credentials::Keychain::Callback done) {
    const auto first = std::make_shared<FirstAnswer>(std::move(done));
    on_stop.emplace(stop_, [this, first] {
      if (first->is_first()) context_.timers.post([first] { first->give({}); });
    });
    keychain_->find(reference_, stop_, [this, first](credentials::Found found) {
      if (!first->is_first()) return;
      if (first->is_in_question()) return first->give(std::move(found));
      // Not on the keychain's own thread: the lookup may be the last who holds the keychain.
      context_.timers.post(
          [first, found = std::move(found)]() mutable { first->give(std::move(found)); });
    });
    first->end_question();
  });
  credentials::Found found = co_await answered;
  if (!stop_.stop_requested()) step_.reset();
  at_ = 0;
  refusals_.clear();
  candidates_ = std::move(found.candidates);
  problems_ = std::move(found.problems);
  const std::string known = context_.hosts.login(registry_.authority());
  const auto best = std::ranges::find(candidates_, known, &Credential::fingerprint);
  if (best != candidates_.end()) std::rotate(candidates_.begin(), best, best + 1);
  if (candidates_.empty() || context_.options.anonymous_after_refusal)
    candidates_.push_back(Credential::anonymous());
  loaded_ = true;
  co_return true;
}

Task<Result<std::string>> Login::header_for(const Credential& credential) {
  if (credential.kind() == Kind::kRegistryToken)
    co_return "Bearer " + std::string(credential.secret().reveal());
  if (challenge_->scheme == "bearer") {
    Task<Result<std::string>> making = bearer_for(credential);
    co_return co_await making;
  }
  if (credential.kind() == Kind::kPassword) co_return basic_header(credential);
  co_return fail(ErrorCode::kUnauthenticated, credential.is_anonymous()
                                                  ? "a user and password are wanted"
                                                  : "a user and password are wanted, not a token");
}

Task<Result<std::string>> Login::bearer_for(const Credential& credential) {
  Result<TokenRequest> request = token_request(credential);
  if (!request) co_return fail(std::move(request.error()));
  std::string key = request->key();
  // What anybody may have handed out is not for those who asked for a certificate.
  if (trust_.takes_any_certificate(request->realm)) key += "\ninsecure";
  step_ = Step{.awaited = "the token service " + request->realm.shown(),
               .advice = "check that it can be reached"};
  Task<Result<TokenCache::Granted>> getting =
      context_.tokens.get(key, exchange_of(context_, *std::move(request), trust_), stop_);
  Result<TokenCache::Granted> granted = co_await getting;
  if (!stop_.stop_requested()) step_.reset();
  if (!granted) co_return fail(std::move(granted.error()));
  token_key_ = key;
  token_was_cached_ = granted->cached;
  token_ = granted->token;
  co_return "Bearer " + std::string(token_.reveal());
}

Result<TokenRequest> Login::token_request(const Credential& credential) const {
  const std::string* realm_text = challenge_->find("realm");
  Result<http::Url> realm = registry_.resolve(*realm_text);
  if (!realm) return fail(std::move(realm.error()), "the token service that the registry names");
  if (!trust_.may_lead(registry_, *realm)) {
    return fail(ErrorCode::kInvalid,
                format("the registry names a token service in our own network, {}, which is not "
                       "asked; if it is the right one, allow it with --trust-realm {}",
                       realm->shown(), realm->authority()));
  }
  if (!trust_.may_ask(*realm)) {
    return fail(ErrorCode::kInvalid,
                format("the token service {} is not asked without encryption; if that is meant, "
                       "allow it with --plain-http {}",
                       realm->shown(), realm->authority()));
  }
  if (!credential.is_anonymous() &&
      !may_receive_login(registry_, *realm, context_.options.trusted_realms)) {
    return fail(ErrorCode::kInvalid,
                format("the registry names a token service of another site, {}, to which no login "
                       "is sent; if it is the right one, allow it with --trust-realm {}",
                       realm->shown(), realm->authority()));
  }
  const std::string* service = challenge_->find("service");
  return TokenRequest{.realm = *std::move(realm),
                      .service = service == nullptr ? std::nullopt : std::optional(*service),
                      .scope = format("repository:{}:pull", reference_.repository()),
                      .credential = credential};
}

Task<bool> Login::seek(TimePoint deadline) {
  if (sought_ || challenge_ || unusable_) co_return false;
  sought_ = true;
  if (!loaded_) {
    Task<bool> loading = load_candidates();
    co_await loading;
  }
  if (stop_.stop_requested()) co_return false;
  if (candidates_.front().is_anonymous()) {
    for (const Error& problem : problems_)
      obstacle_ += format("{}{}", obstacle_.empty() ? "" : "; ", problem.message);
    co_return false;
  }
  Task<std::optional<Challenge>> asking = ask_how(deadline);
  challenge_ = co_await asking;
  is_unwanted_ = !challenge_;
  if (is_unwanted_) {
    obstacle_ = format("{} was not sent, for {} does not ask for a login",
                       candidates_.front().shown(), registry_.authority());
  }
  co_return !is_unwanted_;
}

// What /v2/ asks for. Where it asks for nothing, a password is what can be sent, and over TLS only:
// to the host that it is kept for, but unasked.
Task<std::optional<Challenge>> Login::ask_how(TimePoint deadline) {
  const Result<http::Url> base = registry_.resolve("/v2/");
  if (!base) co_return std::nullopt;
  http::Request request;
  request.url = base->to_string();
  request.body_bytes_max = context_.options.manifest_bytes_max;
  Task<Result<Answer>> fetching = fetch(context_, std::move(request), trust_, deadline, stop_);
  const Result<Answer> answer = co_await fetching;
  if (!answer || answer->elsewhere) co_return std::nullopt;
  if (answer->response.status == 401) {
    is_unconfirmed_ = true;
    co_return choose(parse_challenges(answer->response.headers.all("www-authenticate")));
  }
  const bool has_password =
      std::ranges::find(candidates_, Kind::kPassword, &Credential::kind) != candidates_.end();
  if (!registry_.is_https() || !has_password) co_return std::nullopt;
  co_return Challenge{.scheme = "basic", .parameters = {}};
}

bool Login::learn(const http::Response& response) {
  const std::string host = registry_.authority();
  if (response.status == 401) return learn_unauthorized(response);
  // Some registries call an expired token a bad request.
  if (response.status == 400 && !token_key_.empty() && token_was_cached_ && !renewed_) {
    context_.tokens.drop(token_key_, token_);
    renewed_ = true;
    return true;
  }
  if (response.status == 403 && current() != nullptr && at_ + 1 < candidates_.size()) {
    refuse_current(ErrorCode::kForbidden, describe_status(response).message);
    return true;
  }
  if (response.status == 403 && !challenge_ &&
      choose(parse_challenges(response.headers.all("www-authenticate"))))
    return learn_unauthorized(response);
  if (response.status == 200 && !is_anonymous()) {
    context_.hosts.remember_login(host, current()->fingerprint());
    if (is_unconfirmed_) context_.hosts.remember(host, *challenge_);
  }
  return false;
}

bool Login::learn_unauthorized(const http::Response& response) {
  const std::vector<Challenge> challenges =
      parse_challenges(response.headers.all("www-authenticate"));
  const std::optional<Challenge> offered = choose(challenges);
  if (!token_key_.empty() && token_was_cached_ && !renewed_) {
    context_.tokens.drop(token_key_, token_);
    renewed_ = true;
    return true;
  }
  if (is_news(offered)) {
    ++challenges_;
    challenge_ = offered;
    is_hint_ = false;
    is_unconfirmed_ = false;
    context_.hosts.remember(registry_.authority(), *offered);
    return true;
  }
  if (!challenge_) {
    unusable_ = error(ErrorCode::kUnauthenticated,
                      format("{} wants a login in a way that is not known here (offered: {})",
                             registry_.authority(), schemes(challenges)));
    return true;
  }
  refuse_current(ErrorCode::kUnauthenticated, describe_status(response).message);
  return true;
}

bool Login::is_news(const std::optional<Challenge>& offered) const {
  if (!offered || challenges_ == kChallengesMax) return false;
  if (!challenge_) return true;
  const auto differs = [&](std::string_view name) {
    const std::string* now = offered->find(name);
    const std::string* before = challenge_->find(name);
    return (now == nullptr) != (before == nullptr) || (now != nullptr && *now != *before);
  };
  return offered->scheme != challenge_->scheme ||
         (offered->scheme == "bearer" && (differs("realm") || differs("service")));
}

void Login::refuse_current(ErrorCode code, std::string_view why) {
  const bool was_only_one = refusals_.empty() && candidates_[at_].is_anonymous();
  refusals_.push_back(was_only_one ? std::string(why)
                                   : format("{}: {}", candidates_[at_].shown(), why));
  // One that says what to mend counts more than those that another login might mend.
  if (last_refusal_ != ErrorCode::kInvalid) last_refusal_ = code;
  renewed_ = false;
  ++at_;
  if (at_ < candidates_.size() && candidates_[at_].is_anonymous()) {
    context_.logger.warn("all logins were refused, trying without",
                         {{"registry", reference_.registry()}, {"refused", refusals_.back()}});
  }
}

std::string Login::what_failed() const {
  const std::string host = registry_.authority();
  // The logins are not what was refused, or not all that was.
  if (last_refusal_ == ErrorCode::kInvalid) return format("no login can be made at {}", host);
  if (!candidates_.front().is_anonymous()) {
    return format("{} refused {}", host,
                  refusals_.size() == 1 ? std::string("the login")
                                        : format("all {} logins", refusals_.size()));
  }
  return format("{} wants a login and {}{}", host,
                problems_.empty() ? "there are no credentials" : "none can be had",
                host == reference_.registry() ? "" : " for " + reference_.registry());
}

Error Login::nothing_left() const {
  for (const Error& problem : problems_) {
    if (is_retryable(problem.code)) return problem;
  }
  std::string message = what_failed();
  constexpr std::size_t kShownMax = 4;
  for (std::size_t i = 0; i < std::min(refusals_.size(), kShownMax); ++i)
    message += format("{} {}", i == 0 ? ":" : ";", refusals_[i]);
  for (const Error& problem : problems_) message += format("; {}", problem.message);
  return error(last_refusal_, std::move(message));
}

}  // namespace windlass::registry

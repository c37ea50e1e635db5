// Login: how one lookup identifies itself: nothing until the registry asks, then each login that
// fits, in order, each sent to the registry once.
//
// Invariant: what was refused is not sent again, except that a token from the cache is replaced by
// a fresh one once. Not thread-safe: a lookup does one thing at a time.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "context.h"
#include "endpoint.h"

namespace windlass::registry {

class Login {
 public:
  // What is waited for when it is not the registry, and what to do when it does not come.
  struct Step {
    std::string awaited;
    std::string_view advice;
  };

  // `registry` is a URL of the registry's; its origin is what logins belong to.
  Login(Context& context, const image::ImageReference& reference, http::Url registry, Trust trust,
        std::shared_ptr<credentials::Keychain> keychain, std::stop_token stop);

  // The Authorization header to send now, "" for none. A retryable error may be mended by asking
  // again; any other says that nothing is left to try.
  Task<Result<std::string>> authorization();

  // Learns from an answer to a request with that header. True when authorization() has something
  // else to offer, or an explanation.
  bool learn(const http::Response& response);

  // After a refusal that asks for nothing, with which some registries meet whom they do not know:
  // asks the registry once how to log in, if there is a login for it. True when authorization() has
  // something else to offer.
  Task<bool> seek(TimePoint deadline);

  // Of a wait that is under way, or that a stop has ended.
  const std::optional<Step>& step() const { return step_; }

  // For people: the login in use.
  std::string shown() const;
  bool is_anonymous() const;

  // Why a login was of no use before the registry asked for one; "" when that is not so.
  const std::string& obstacle() const { return obstacle_; }

  // True when there is a login, and the registry asks for none.
  bool is_unwanted() const { return is_unwanted_; }

  // False when the registry wants a login in a way that is not known here.
  bool is_possible() const { return !unusable_; }

 private:
  using Credential = credentials::Credential;

  Task<bool> load_candidates();
  Task<Result<std::string>> header_for(const Credential& credential);
  Task<Result<std::string>> bearer_for(const Credential& credential);
  Result<TokenRequest> token_request(const Credential& credential) const;
  Task<std::optional<Challenge>> ask_how(TimePoint deadline);
  bool learn_unauthorized(const http::Response& response);
  bool is_news(const std::optional<Challenge>& offered) const;
  void refuse_current(ErrorCode code, std::string_view why);
  std::string what_failed() const;
  Error nothing_left() const;
  const Credential* current() const;

  Context& context_;
  const image::ImageReference& reference_;
  const http::Url registry_;
  const Trust trust_;
  const std::shared_ptr<credentials::Keychain> keychain_;
  const std::stop_token stop_;

  std::optional<Challenge> challenge_;
  bool is_hint_ = false;         // another lookup's challenge, not asked of us
  int challenges_ = 0;           // accepted so far
  bool sought_ = false;          // seek() has been called, or need not be
  bool is_unconfirmed_ = false;  // the challenge is seek()'s; others hear of it once it opens
  bool is_unwanted_ = false;
  std::string obstacle_;
  std::optional<Error> unusable_;  // the registry asks for what we cannot give

  std::vector<Credential> candidates_;
  bool loaded_ = false;
  std::size_t at_ = 0;
  bool renewed_ = false;   // the current candidate's cached token has been replaced
  std::string token_key_;  // of the token sent last; "" when none was
  credentials::Secret token_;
  bool token_was_cached_ = false;
  std::optional<Step> step_;

  std::vector<Error> problems_;  // the keychain's
  std::vector<std::string> refusals_;
  ErrorCode last_refusal_ = ErrorCode::kUnauthenticated;
};

}  // namespace windlass::registry

// Inquiry: one server asked about one manifest: HEAD, GET where HEAD does not tell, and the login
// that takes.
//
// Not thread-safe, and needs not be: it does one thing at a time, and each thing it waits for hands
// over to the next.
#pragma once

#include <memory>
#include <optional>

#include "answer.h"
#include "context.h"
#include "fetch.h"
#include "login.h"

namespace windlass::registry {

// What is wanted to know of a manifest.
struct Question {
  std::optional<oci::Platform> platform;  // of an index: the digest of this one's image
  bool verify = false;                    // the bytes themselves, not what the server says of them
};

struct Found {
  Manifest manifest;
  std::optional<RateLimit> rate_limit;
};

class Inquiry {
 public:
  // `reference` outlives it.
  Inquiry(Context& context, const image::ImageReference& reference, http::Url url, Trust trust,
          std::shared_ptr<credentials::Keychain> keychain, Question question, std::stop_token stop);
  Inquiry(const Inquiry&) = delete;
  Inquiry& operator=(const Inquiry&) = delete;

  // One try, without repetitions. Errors name the server.
  Task<Result<Found>> attempt(TimePoint deadline);

  const http::Url& url() const { return url_; }
  bool was_answered() const { return was_answered_; }  // by whatever status
  // Of the answer that the last attempt failed with; nothing where it failed in another way.
  const std::optional<int>& refusal() const { return refusal_; }
  std::string credential() const { return login_.shown(); }
  bool is_anonymous() const { return login_.is_anonymous(); }
  bool is_login_unwanted() const { return login_.is_unwanted(); }
  bool may_log_in() const { return login_.is_possible(); }
  const std::optional<Login::Step>& step() const { return login_.step(); }

 private:
  Task<Result<Found>> ask_both(TimePoint deadline);
  Task<Result<Answer>> ask(http::Method method, TimePoint deadline);
  Task<Result<Answer>> ask_elsewhere(http::Method method, Answer refusal, TimePoint deadline);
  bool settles(const Result<Manifest>& head) const;
  Result<Manifest> read_body(const http::Response& response) const;
  Result<Found> conclude(Result<Manifest> manifest, const http::Response& response,
                         http::Method method);

  Context& context_;
  const image::ImageReference& reference_;
  const http::Url url_;
  const Trust trust_;
  const Question question_;
  const std::stop_token stop_;

  Login login_;
  int broken_heads_ = 0;  // connections that broke off instead of answering
  bool was_answered_ = false;
  std::optional<int> refusal_;
  bool is_refused_here_ = false;  // and not where a redirect led
  bool is_guest_ = false;         // asks where another server redirects to
};

}  // namespace windlass::registry

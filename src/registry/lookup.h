// Lookup: one question to a registry, from the first request to the last retry.
//
// Not thread-safe, and needs not be: it does one thing at a time, and each thing it waits for hands
// over to the next.
#pragma once

#include "context.h"
#include "fetch.h"
#include "login.h"

namespace windlass::registry {

class Lookup {
 public:
  // `reference` has no digest. When `stop` is requested, run() ends with kCancelled.
  Lookup(Context& context, image::ImageReference reference, http::Url url,
         std::shared_ptr<credentials::Keychain> keychain, TimePoint deadline, std::stop_token stop);
  Lookup(const Lookup&) = delete;
  Lookup& operator=(const Lookup&) = delete;

  Task<Result<Resolution>> run();

  const image::ImageReference& reference() const { return reference_; }

  // What the last attempt failed with, for the message when time runs out.
  const std::optional<Error>& last_error() const { return last_error_; }

 private:
  Task<Result<Resolution>> attempt();
  Task<Result<Answer>> ask(http::Method method);
  Result<Resolution> conclude(Result<struct Manifest> manifest, http::Method method) const;
  Error explain(Error error, int attempts) const;

  Context& context_;
  const image::ImageReference reference_;
  const http::Url url_;
  const TimePoint deadline_;
  const std::stop_token stop_;

  Login login_;
  int broken_heads_ = 0;  // connections that broke off instead of answering
  std::optional<Error> last_error_;
};

}  // namespace windlass::registry

// Lookup: one question about an image, from the first request to the last retry, through its
// mirrors and its registry.
//
// Not thread-safe, and needs not be: it does one thing at a time, and each thing it waits for hands
// over to the next.
#pragma once

#include <memory>
#include <vector>

#include "context.h"
#include "endpoint.h"
#include "inquiry.h"

namespace windlass::registry {

class Lookup {
 public:
  // `sources` is not empty. When `stop` is requested, run() ends with kCancelled.
  Lookup(Context& context, image::ImageReference reference, std::vector<Source> sources,
         const LookupOptions& options, TimePoint deadline, std::stop_token stop);
  Lookup(const Lookup&) = delete;
  Lookup& operator=(const Lookup&) = delete;

  Task<Result<Resolution>> run();

  const image::ImageReference& reference() const { return reference_; }

  // For when time runs out: what was waited for, and what the last attempt failed with.
  std::string explain_timeout() const;

 private:
  struct Place {
    Source source;
    std::size_t url = 0;  // of source.urls
    std::unique_ptr<Inquiry> inquiry;
    std::optional<Error> trouble;  // of a mirror: why it is passed over
    bool given_up = false;         // trying again would not help
  };

  Task<Result<Resolution>> attempt();
  Task<Result<Found>> ask(Place& place, TimePoint deadline);
  void pass_over(Place& mirror, Error error);
  Resolution resolution(const Place& place, const Found& found) const;
  Error explain(Error error, int attempts) const;

  Context& context_;
  const image::ImageReference reference_;
  const Question question_;
  const std::shared_ptr<credentials::Keychain> keychain_;
  const TimePoint deadline_;
  const std::stop_token stop_;

  std::vector<Place> places_;  // mirrors first, the registry last
  std::optional<Error> last_error_;
};

}  // namespace windlass::registry

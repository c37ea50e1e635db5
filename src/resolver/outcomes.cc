#include "outcomes.h"

#include <utility>

#include "registry_lines.h"
#include "windlass/base/format.h"

namespace windlass::resolver {

Outcome resolved_outcome(registry::Resolution resolution, int tries) {
  return std::make_shared<const ImageResult>(ImageResult{.image = {},
                                                         .verdict = Verdict::kResolved,
                                                         .resolution = std::move(resolution),
                                                         .tries = tries});
}

Outcome skipped_outcome() {
  return std::make_shared<const ImageResult>(
      ImageResult{.image = {}, .verdict = Verdict::kSkipped});
}

Outcome failed_outcome(Error error, int tries) {
  return std::make_shared<const ImageResult>(ImageResult{
      .image = {}, .verdict = Verdict::kFailed, .error = std::move(error), .tries = tries});
}

Outcome pinned_outcome(const image::ImageReference& reference) {
  return resolved_outcome(registry::Resolution{.reference = reference,
                                               .digest = *reference.digest(),
                                               .media_type = {},
                                               .size = std::nullopt,
                                               .credential_source = {},
                                               .asked = false},
                          0);
}

Outcome stale_outcome(const ImageResult& last, const ImageResult& failure) {
  ImageResult result = last;
  result.error = failure.error;
  result.tries = failure.tries;
  result.stale = true;
  return std::make_shared<const ImageResult>(std::move(result));
}

Outcome timed_out_outcome(const std::string& image, const Lookup& lookup, Duration deadline) {
  if (lookup.last_failure) {
    return failed_outcome(lookup.last_failure->error->with_context(format(
                              "gave up after {} and {} tries", to_text(deadline), lookup.tries)),
                          lookup.tries);
  }
  const bool running = lookup.state == Lookup::State::kRunning;
  return failed_outcome(
      Error{.code = ErrorCode::kTimedOut,
            .message = format("{}: {} within {}; {}", image,
                              running ? "no answer from " + *lookup.line->host
                                      : "no turn to ask " + *lookup.line->host + " came",
                              to_text(deadline),
                              running ? "check that it can be reached, or allow more time"
                                      : "allow more time or more lookups at once")},
      lookup.tries);
}

Outcome shut_out_outcome(TimePoint now, const std::string& image, const RegistryLine& line) {
  const Duration left = line.gate.shut_until() - now;
  const std::string why = line.gate.tripped() ? "keeps failing" : "asked for a pause";
  Error error = line.gate.cause()->with_context(
      format("{}: not asked, since {} {}, for {} more", image, *line.host, why, to_text(left)));
  error.retry_after = left;
  return failed_outcome(std::move(error), 0);
}

Outcome shut_down_outcome() {
  return failed_outcome({.code = ErrorCode::kCancelled, .message = "the resolver was shut down"},
                        0);
}

Outcome too_many_owners_outcome(std::size_t owners_max) {
  return failed_outcome({.code = ErrorCode::kUnavailable,
                         .message = format("the resolver already has {} owners, its limit; "
                                           "clear or forget those that are answered",
                                           owners_max)},
                        0);
}

}  // namespace windlass::resolver

#include "digest_source.h"

#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {

Result<std::size_t> DigestSource::ask(const image::ImageReference& reference) {
  const auto known = tickets_.find(reference.written());
  if (known != tickets_.end()) return known->second;
  Asked asked{.reference = reference, .locked = std::nullopt};
  if (options_.use_lock) asked.locked = locked(reference);
  if (!asked.locked && !options_.offline) {
    if (lookups_ == nullptr) {
      auto made = make_lookups_();
      if (!made) return fail(std::move(made.error()));
      lookups_ = std::move(*made);
    }
    asked.ticket = lookups_->ask(reference.written());
  }
  tickets_.emplace(reference.written(), asked_.size());
  asked_.push_back(std::move(asked));
  return asked_.size() - 1;
}

DigestAnswer DigestSource::await(std::size_t ticket, const std::stop_token& stop) {
  const Asked& asked = asked_[ticket];
  if (asked.locked) return {.digest = asked.locked, .from_lock = true};
  if (options_.offline) {
    return {.digest = std::nullopt,
            .error = Error{ErrorCode::kUnavailable,
                           format("{}: not in the lock, and --offline asks no registry",
                                  printable(asked.reference.written()))}};
  }
  return await_registry(asked, stop);
}

DigestAnswer DigestSource::await_registry(const Asked& asked, const std::stop_token& stop) {
  resolver::ImageResult result = lookups_->await(asked.ticket, stop);
  DigestAnswer answer{
      .digest = std::nullopt, .error = std::move(result.error), .tries = result.tries};
  answer.failed_by_source = answer.error && lookups_->failed_by_source(asked.ticket);
  if (!result.resolution) return answer;
  answer.digest = result.resolution->digest;
  answer.media_type = result.resolution->media_type;
  answer.credentials = result.resolution->credential_source;
  if (options_.lock != nullptr && locked(asked.reference) != answer.digest)
    remember(asked.reference, *answer.digest);
  return answer;
}

std::optional<image::Digest> DigestSource::locked(const image::ImageReference& reference) const {
  if (options_.lock == nullptr) return std::nullopt;
  return options_.lock->find(reference, options_.platform);
}

void DigestSource::remember(const image::ImageReference& reference, const image::Digest& digest) {
  options_.lock->set(reference, options_.platform, digest);
  lock_changed_ = true;
}

}  // namespace windlass::app

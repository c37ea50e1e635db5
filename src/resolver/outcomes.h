// The outcomes that a slot can get, and their words.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "lookup.h"
#include "registry_gate.h"
#include "windlass/base/error.h"
#include "windlass/image/image_reference.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/resolver/answer.h"

namespace windlass::resolver {

using Outcome = std::shared_ptr<const ImageResult>;

Outcome resolved_outcome(registry::Resolution resolution, int tries);
Outcome skipped_outcome();
Outcome failed_outcome(Error error, int tries);

// The last digest, standing in for a failure.
Outcome stale_outcome(const ImageResult& last, const ImageResult& failure);

// What a reference that names its own digest is worth, without asking anybody.
Outcome pinned_outcome(const image::ImageReference& reference);

// `lookup` is still not answered although the whole `deadline` has passed.
Outcome timed_out_outcome(const Lookup& lookup, Duration deadline);

// The image's next try would come too late, or is not worth waiting for: its last cause.
Outcome given_up_outcome(const Lookup& lookup);

// The registry is left alone until after the owner's deadline.
Outcome shut_out_outcome(TimePoint now, const std::string& host, const RegistryGate& gate);

Outcome shut_down_outcome();
Outcome too_many_owners_outcome(std::size_t owners_max);

}  // namespace windlass::resolver

// The outcomes that a slot can get, and their words.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "lookup.h"
#include "registry_lines.h"
#include "windlass/base/error.h"
#include "windlass/image/image_reference.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/resolver/answer.h"

namespace windlass::resolver {

Outcome resolved_outcome(registry::Resolution resolution, int tries);
Outcome skipped_outcome();
Outcome failed_outcome(Error error, int tries);

// The last digest, standing in for a failure.
Outcome stale_outcome(const ImageResult& last, const ImageResult& failure);

// What a reference that names its own digest is worth, without asking anybody.
Outcome pinned_outcome(const image::ImageReference& reference);

// In what follows `image` is as the owner wrote it.

// `lookup` is still not answered although the whole `deadline` has passed.
Outcome timed_out_outcome(const std::string& image, const Lookup& lookup, Duration deadline);

// The registry is left alone until after the owner's deadline.
Outcome shut_out_outcome(TimePoint now, const std::string& image, const RegistryLine& line);

Outcome shut_down_outcome();
Outcome too_many_owners_outcome(std::size_t owners_max);

}  // namespace windlass::resolver

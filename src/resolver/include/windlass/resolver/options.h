// Options of a BackgroundResolver, and of one call of its resolve().
//
// Values. Two owners share a lookup when they ask for the same image with the same
// Credentials::identity, whatever else their options say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "windlass/base/random.h"
#include "windlass/base/time.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/resolver/skip_list.h"

namespace windlass::resolver {

// Whose logins a lookup uses. A digest may be secret, so what one identity was told is never given
// to another.
struct Credentials {
  std::string identity;  // equal exactly when the logins are; never a secret itself

  // Asks with these logins; null for the BackgroundResolver's own. Kept while a lookup needs it.
  std::shared_ptr<registry::ImageResolver> resolver = nullptr;
};

struct ResolveOptions {
  // From the call to the final answer: waiting for a turn, tries and the pauses between them.
  Duration deadline = std::chrono::seconds(60);

  // One try. A lookup shared by several owners takes the longest.
  Duration lookup_timeout = std::chrono::seconds(10);

  Credentials credentials = {};

  // Null for the BackgroundResolver's own.
  std::shared_ptr<const SkipList> skip = nullptr;
};

// True when an answer got under one set of options is as good under the other.
bool equivalent(const ResolveOptions& a, const ResolveOptions& b);

struct Options {
  int in_flight_max = 64;  // lookups running at a time, >= 1

  // Owners remembered at a time, those answered and not yet cleared included.
  std::size_t owners_max = 1'000'000;

  // Pause after the first failed try; doubled after each further one, up to `retry_max`.
  Duration retry_base = std::chrono::seconds(1);
  Duration retry_max = std::chrono::seconds(1000);
  double retry_jitter = 0.1;  // adds up to this share of each pause

  SkipList skip = SkipList::of_local_development();

  std::uint64_t seed = random_seed();
};

}  // namespace windlass::resolver

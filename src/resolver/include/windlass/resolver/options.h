// Options of a BackgroundResolver, and of one call of its resolve().
//
// Values. Two owners share a lookup when they ask for the same image with the same
// Credentials::identity, platform and `verify`, whatever else their options say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "windlass/base/random.h"
#include "windlass/base/time.h"
#include "windlass/credentials/keychain.h"
#include "windlass/oci/platform.h"
#include "windlass/resolver/skip_list.h"
#include "windlass/telemetry/span_context.h"

namespace windlass::resolver {

// Whose logins a lookup uses. A digest may be secret, so what one identity was told is never given
// to another.
struct Credentials {
  std::string identity;  // equal exactly when the logins are; never a secret itself

  // Null for the image resolver's own.
  std::shared_ptr<credentials::Keychain> keychain = nullptr;
};

struct ResolveOptions {
  // From the call to the final answer: waiting for a turn, tries and the pauses between them.
  Duration deadline = std::chrono::seconds(60);

  // False starts the deadline with the owner's first try: a long line then uses none of it. Only a
  // registry that is left alone for longer than the deadline still ends the waiting.
  bool deadline_includes_line = true;

  // One try. A lookup shared by several owners takes the longest.
  Duration lookup_timeout = std::chrono::seconds(10);

  Credentials credentials = {};

  // The digest of this platform's image instead of the index's.
  std::optional<oci::Platform> platform = std::nullopt;

  // The registry's word is checked against the bytes, and an image that was written with its digest
  // is asked for, too: kCorrupt when it is another.
  bool verify = false;

  // What the owner's lookups are for: their spans belong to it or are linked to it. Nothing that is
  // asked depends on it, so another one does not start a new epoch.
  telemetry::SpanContext span = {};

  // Null for the BackgroundResolver's own.
  std::shared_ptr<const SkipList> skip = nullptr;
};

// True when an answer got under one set of options is as good under the other.
bool equivalent(const ResolveOptions& a, const ResolveOptions& b);

// What one registry is spared, whatever all owners together want of it.
struct RegistryLimits {
  int in_flight_max = 16;  // tries under way at a time, >= 1
  double per_second = 0;   // tries begun; 0 sets no limit
  int burst = 100;         // tries that may begin at once when `per_second` is set, >= 1

  // After so many transient failures in a row the registry is left alone for a pause, then probed
  // with one try; each failed probe doubles the pause. 0 never does.
  int breaker_failures = 10;
  Duration breaker_pause = std::chrono::seconds(5);
  Duration breaker_pause_max = std::chrono::minutes(5);

  // A registry that says "too many requests" is left alone for as long as it says, a day at most.
  // When it does not say, so long: doubled each time in a row, up to `breaker_pause_max`. Then
  // fewer tries than before are under way at a time, until answers have shown that it takes more.
  Duration throttle_pause = std::chrono::seconds(1);
};

// How long an answer of a registry serves those who ask next, with the same logins.
struct CacheOptions {
  std::size_t entries_max = 10'000;
  Duration digest = std::chrono::seconds(30);    // how late a moved tag may be noticed
  Duration not_found = std::chrono::seconds(5);  // also what the registry calls malformed
  Duration refused = std::chrono::seconds(5);    // for want of a login or of permission

  // A digest this old may still be given, marked as stale, when its registry cannot be asked: it
  // does not answer, or wants no more requests. Zero never does. A registry that answers "no such
  // tag" or refuses the login is believed.
  Duration stale = {};
};

// Digests that outlive the process.
struct JournalOptions {
  std::string file;  // on a local disk, of this resolver alone; "" keeps nothing

  // For so long after a registry told it, a digest of an earlier run is given without asking. Each
  // entry ends somewhere in the second half of it, so that they are not all asked for at once.
  Duration fresh = std::chrono::minutes(10);
};

struct Options {
  // Lookups running at a time, of all registries; with 0 none begins until set_in_flight_max().
  // Registries that do not answer have half of them at most.
  int in_flight_max = 64;

  // So many beyond it, each the only one of its registry: one that answers is asked at once,
  // however many others do not.
  int in_flight_beyond = 64;
  RegistryLimits registry = {};

  // Owners remembered at a time, those answered and not yet cleared included. One more
  // is refused: its resolve() returns kUnavailable, and it is not called back.
  std::size_t owners_max = 1'000'000;

  // Pause after the first failed try; doubled after each further one, up to `retry_max`.
  Duration retry_base = std::chrono::seconds(1);
  Duration retry_max = std::chrono::seconds(1000);
  double retry_jitter = 0.1;  // adds up to this share of each pause

  // Failed images remembered at a time for each owner, >= 1, so that its next tries of them are
  // delayed. With one more, the half whose pauses end first is forgotten.
  std::size_t backoffs_max = 1000;

  CacheOptions cache = {};
  JournalOptions journal = {};

  SkipList skip = SkipList::of_local_development();

  std::uint64_t seed = random_seed();
};

}  // namespace windlass::resolver

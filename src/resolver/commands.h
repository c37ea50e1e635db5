// Commands: what the passive core wants its shell to do.
//
// Plain data. To be carried out in the order of the members.
#pragma once

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "lookup.h"
#include "windlass/base/time.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/telemetry/span.h"

namespace windlass::resolver {

struct Commands {
  struct Enqueue {
    LookupId id;
    Duration delay;  // 0: at once
  };

  std::vector<Enqueue> enqueue;
  std::vector<LookupId> drop;            // no longer wanted in the queue
  std::vector<std::stop_source> cancel;  // tries that nobody waits for any more
  std::vector<telemetry::Span> ended;    // to be handed to their tracer, outside the lock

  // Digests that were told, by lookup key, where a journal is kept.
  std::vector<std::pair<std::string, Outcome>> told;

  // To be let go outside the lock and by a thread of ours: the last holder destroys the keychain in
  // it, which the keychain's own thread, calling us back, must not do.
  std::vector<SharedOptions> release;
};

// A try that is to be made now.
struct Try {
  image::ImageReference reference;
  registry::LookupOptions options;
  std::stop_token stop;
};

}  // namespace windlass::resolver

// What a ResolverCore takes over from an earlier run.
#include <algorithm>
#include <utility>

#include "resolver_core.h"
#include "windlass/base/random.h"

namespace windlass::resolver {

void ResolverCore::restore(TimePoint now, WallTime wall_now,
                           std::span<const JournalEntry> entries) {
  Random random(options_.seed);
  for (const JournalEntry& entry : entries) {
    const Duration age = std::max<Duration>(wall_now - entry.told, Duration::zero());
    const auto fresh =
        std::chrono::duration_cast<Duration>(options_.journal.fresh * (0.5 + random.uniform() / 2));
    registry::Resolution resolution = entry.resolution;
    resolution.answered_at = now - age;
    ImageResult result = *resolved_outcome(std::move(resolution), 0);
    result.cached = true;
    cache_.restore(now + (fresh - age), now + (options_.cache.stale - age), entry.key,
                   std::make_shared<const ImageResult>(std::move(result)));
  }
}

}  // namespace windlass::resolver

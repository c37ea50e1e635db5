// What a ResolverCore tells of itself.
#include <algorithm>

#include "resolver_core.h"

namespace windlass::resolver {

Status ResolverCore::status(TimePoint now, std::size_t details_max) const {
  Status status{.owners = owner_counts_,
                .images = image_counts_,
                .lookups = lookups_.size(),
                .lookups_running = lookups_.running(),
                .tries = tries_,
                .oldest_lookup = lookups_.oldest_age(now),
                .registries = lookups_.registries(now),
                .details = {},
                .pending = {},
                .failed = {}};
  if (details_max == 0) return status;
  status.details = lookups_.details(now, details_max);
  status.pending = most_urgent(now, details_max);
  status.failed = last_failed(details_max);
  return status;
}

std::vector<OwnerStatus> ResolverCore::most_urgent(TimePoint now, std::size_t count) const {
  std::vector<OwnerStatus> urgent;
  for (const auto& [deadline, owner] : deadlines_) {
    if (urgent.size() >= count) break;
    if (owner->state != Owner::State::kPending) continue;
    OwnerStatus& status = urgent.emplace_back(OwnerStatus{
        .owner = *owner->name, .images = owner->slots.size(), .pending = owner->unanswered});
    if (owner->deadline != TimePoint::max())
      status.answered_within = std::max(owner->deadline - now, Duration::zero());
  }
  return urgent;
}

std::vector<FailedOwner> ResolverCore::last_failed(std::size_t count) const {
  std::vector<FailedOwner> last;
  for (const Owner* owner : failed_) {
    if (last.size() >= count) break;
    FailedOwner& status =
        last.emplace_back(FailedOwner{.owner = *owner->name, .images = owner->slots.size()});
    for (const Slot& slot : owner->slots) {
      if (!slot.outcome->failed() || ++status.failed > 1) continue;
      status.image = slot.image;
      status.cause = slot.outcome->error->message;
      status.tries = slot.outcome->tries;
    }
  }
  return last;
}

}  // namespace windlass::resolver

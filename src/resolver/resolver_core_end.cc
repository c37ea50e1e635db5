// How a ResolverCore ends: who is answered at once, and who is waited for.
#include <algorithm>
#include <utility>
#include <vector>

#include "resolver_core.h"

namespace windlass::resolver {

void ResolverCore::set_in_flight_max(TimePoint now, int lookups) {
  in_flight_max_ = lookups;
  lookups_.set_in_flight_max(now, lookups);
  if (closed_) cancel_endless(now);
}

void ResolverCore::close(TimePoint now) {
  closed_ = true;
  cancel_endless(now);
}

void ResolverCore::cancel_pending(TimePoint now) {
  std::vector<Owner*> pending;
  for (auto& [name, owner] : owners_) {
    if (owner.state == Owner::State::kPending) pending.push_back(&owner);
  }
  cancel(now, std::move(pending));
}

void ResolverCore::cancel_endless(TimePoint now) {
  if (in_flight_max_ > 0) return;
  std::vector<Owner*> endless;
  for (auto& [name, owner] : owners_) {
    if (owner.state == Owner::State::kPending && owner.deadline == TimePoint::max())
      endless.push_back(&owner);
  }
  cancel(now, std::move(endless));
}

void ResolverCore::cancel(TimePoint now, std::vector<Owner*> owners) {
  std::ranges::sort(owners, {}, &Owner::epoch);
  const Outcome outcome = shut_down_outcome();
  for (Owner* owner : owners) {
    for (std::size_t i = 0; i < owner->slots.size(); ++i) {
      if (owner->slots[i].lookup == nullptr) continue;
      lookups_.leave(now, {owner, i});
      answer(*owner, i, outcome);
    }
  }
}

}  // namespace windlass::resolver

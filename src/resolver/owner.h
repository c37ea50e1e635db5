// Owner: whoever asked for images to be resolved, and how far each of its images has got.
//
// Plain data; ResolverCore keeps it true and bounds how many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "penalties.h"
#include "windlass/base/time.h"
#include "windlass/resolver/options.h"

namespace windlass::resolver {

struct Lookup;

// Shared by the owners that came with the same ones, and by their lookups.
using SharedOptions = std::shared_ptr<const ResolveOptions>;

// One image of an owner. Invariant: exactly one of `lookup` and `outcome` is set.
struct Slot {
  std::string image;  // as written
  Lookup* lookup = nullptr;
  std::size_t place = 0;  // in lookup->waiters
  Outcome outcome = nullptr;
};

struct Owner {
  enum class State {
    kIdle,      // cleared; only its penalties are kept
    kPending,   // some slot still has a lookup
    kResolved,  // every slot has its outcome, none of them a failure
    kFailed,    // every slot has its outcome, some of them a failure
  };

  const std::string* name = nullptr;  // the key of this owner in its map
  State state = State::kIdle;
  bool failed_for_good = false;  // some image failed in a way that no retry mends
  bool callback_due = false;     // then `callback_place` is valid
  std::uint64_t epoch = 0;       // of the present answer; unique among all owners
  std::size_t unanswered = 0;
  // kPending: of the answer, max() while it stands in a line that does not count; kIdle: of the
  // penalties.
  TimePoint deadline = TimePoint::max();
  SharedOptions options;  // null when idle
  std::vector<Slot> slots;
  std::list<Owner*>::iterator callback_place;
  std::list<Owner*>::iterator failed_place;  // valid when kFailed
  Penalties penalties;

  // What a wait that begins `now` has to be over by.
  TimePoint deadline_at(TimePoint now) const {
    return deadline == TimePoint::max() ? saturating_add(now, options->deadline) : deadline;
  }
};

}  // namespace windlass::resolver

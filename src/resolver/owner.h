// Owner: whoever asked for images to be resolved, and how far each of its images has got.
//
// Plain data; ResolverCore keeps it true and bounds how many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "windlass/base/time.h"
#include "windlass/resolver/answer.h"
#include "windlass/resolver/options.h"

namespace windlass::resolver {

struct Lookup;

// One image of an owner. Invariant: exactly one of `lookup` and `outcome` is set.
struct Slot {
  std::string image;  // as written
  Lookup* lookup = nullptr;
  std::size_t place = 0;                                 // in lookup->waiters
  std::shared_ptr<const ImageResult> outcome = nullptr;  // shared by all who asked for the image
};

// What an owner has to bear for having asked for an image that failed, until it is forgotten.
struct Penalty {
  int failures = 0;      // in a row
  TimePoint not_before;  // of its next try
  std::shared_ptr<const ImageResult> cause;
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
  TimePoint deadline = TimePoint::max();  // kPending: of the answer; kIdle: of the penalties
  ResolveOptions options;
  std::vector<Slot> slots;
  std::list<Owner*>::iterator callback_place;
  std::unordered_map<std::string, Penalty> penalties;  // by lookup key
};

}  // namespace windlass::resolver

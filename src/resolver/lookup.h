// Lookup: one question to a registry, shared by all owners that wait for its answer.
//
// Plain data; LookupTable keeps it true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "owner.h"
#include "windlass/base/time.h"
#include "windlass/telemetry/span.h"

namespace windlass::resolver {

// Never used twice, so that a completion or a queue entry of an ended lookup finds nothing.
using LookupId = std::uint64_t;

struct RegistryLine;

struct Waiter {
  Owner* owner;
  std::size_t slot;
};

struct Lookup {
  enum class State {
    kDelayed,  // in the queue, not to be tried before `next_try`
    kInLine,   // waits for its registry
    kQueued,   // let through; starts as soon as the queue hands it out
    kRunning,
    kEnded,  // its try has ended and what comes next is being decided; never seen outside
  };

  LookupId id = 0;
  std::string key;        // LookupTable::key_of()
  SharedOptions options;  // for its credentials, platform and verification
  RegistryLine* line = nullptr;
  std::size_t rank = 0;  // how many other lookups its owner wanted first
  double turn = 0;       // kInLine: its place

  State state = State::kInLine;
  int tries = 0;     // begun by this lookup
  int failures = 0;  // in a row, those of earlier lookups that its first owner has to bear included
  TimePoint next_try = {};
  TimePoint created = {};
  TimePoint started = {};  // kRunning: its try
  TimePoint failed_at = {};
  Outcome last_failure = nullptr;           // of this lookup's last try
  std::stop_source stop{std::nostopstate};  // of the try that is running
  telemetry::Span span = {};                // of the whole lookup
  std::vector<Waiter> waiters = {};         // never empty outside LookupTable's members
};

}  // namespace windlass::resolver

// Status: what a BackgroundResolver is doing, for people and progress lines.
//
// A value: a snapshot of one moment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/time.h"

namespace windlass::resolver {

struct LookupStatus {
  enum class State { kQueued, kDelayed, kRunning };

  std::string image;     // every default spelt out
  std::string identity;  // of the credentials
  State state = State::kQueued;
  int tries = 0;
  std::optional<Duration> next_try_in = std::nullopt;  // when kDelayed
  std::string last_cause;                              // of the last failed try; may be empty
  std::size_t waiters = 0;                             // images of all owners that wait for it
  std::string platform = {};                           // that is asked for; "" for the index
};

std::string_view to_string(LookupStatus::State state);  // "queued", "delayed", "running"

// Of all owners not yet cleared, each image counted as often as it was asked for.
struct ImageCounts {
  std::size_t pending = 0;
  std::size_t resolved = 0;
  std::size_t skipped = 0;
  std::size_t failed = 0;
};

struct OwnerCounts {
  std::size_t pending = 0;
  std::size_t resolved = 0;  // answered, no image failed
  std::size_t failed = 0;    // answered, some image failed
};

struct OwnerStatus {
  std::string owner;
  std::size_t images = 0;
  std::size_t pending = 0;                                 // of them
  std::optional<Duration> answered_within = std::nullopt;  // nullopt while it waits in a line
                                                           // that does not count
};

struct FailedOwner {
  std::string owner;
  std::size_t images = 0;
  std::size_t failed = 0;  // of them
  std::string image;       // the first that failed, as written
  std::string cause;       // of that
  int tries = 0;           // for that, of all owners together
};

struct RegistryStatus {
  std::string host;
  std::size_t lookups = 0;
  int under_way = 0;                                // tries
  std::size_t waiting = 0;                          // lookups, for their turn
  bool tripped = false;                             // it kept failing; one try at a time probes it
  std::optional<Duration> opens_in = std::nullopt;  // when it is left alone
  std::string cause;                                // of that
};

struct Status {
  OwnerCounts owners;
  ImageCounts images;
  std::size_t lookups = 0;
  std::size_t lookups_running = 0;
  std::uint64_t tries = 0;                               // begun since the resolver was made
  std::optional<Duration> oldest_lookup = std::nullopt;  // since it was first wanted
  std::vector<RegistryStatus> registries;  // by host; also those that are only remembered
  std::vector<LookupStatus> details;       // the oldest lookups, up to the number asked for
  std::vector<OwnerStatus> pending;        // the owners with the least time left, up to that number
  std::vector<FailedOwner> failed;         // those that failed last, up to that number
};

}  // namespace windlass::resolver

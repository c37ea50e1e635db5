// RegistryLines: for each registry the lookups that wait for their turn, and the gate they wait at.
//
// Turns are fair between owners: an owner's first image comes before the second image of those who
// came a little earlier, as in weighted fair queueing. Registries do not wait for each other. Not
// thread-safe; told the time.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lookup.h"
#include "registry_gate.h"
#include "windlass/base/time.h"
#include "windlass/resolver/options.h"
#include "windlass/resolver/status.h"

namespace windlass::resolver {

struct RegistryLine {
  const std::string* host = nullptr;
  RegistryGate gate;
  std::set<std::pair<double, LookupId>> waiting = {};  // by turn
  double turn = 0;                                     // that newcomers start from
  std::size_t lookups = 0;                             // in whatever state
  TimePoint wake = TimePoint::max();
};

// Invariant: a line is in `wakes_` exactly while its `wake` is not for ever.
class RegistryLines {
 public:
  explicit RegistryLines(const RegistryLimits& limits) : limits_(limits) {}

  // The line of a registry, nullptr when nothing is known of it.
  RegistryLine* find(const std::string& host);

  // A lookup begins to exist, or ends to.
  RegistryLine& join(const std::string& host);
  void depart(TimePoint now, RegistryLine& line);

  // Puts a lookup in line: behind `lookup.rank` others of its owner.
  void wait(Lookup& lookup);
  // Takes it out again.
  void stop_waiting(Lookup& lookup);
  // Another owner wants it too, as its `rank`th image: its turn may only come earlier.
  void improve(Lookup& lookup, std::size_t rank);

  // Lets through who may go now, and plans when to look again.
  std::vector<LookupId> admit(TimePoint now, RegistryLine& line);

  // Lets through, of all registries, who had to wait for a time that has come.
  std::vector<LookupId> tick(TimePoint now);
  TimePoint next_tick() const;

  bool empty() const { return lines_.empty() && wakes_.empty(); }
  std::vector<RegistryStatus> status(TimePoint now) const;

 private:
  void set_wake(RegistryLine& line, TimePoint wake);

  const RegistryLimits limits_;

  std::unordered_map<std::string, RegistryLine> lines_;
  std::set<std::pair<TimePoint, RegistryLine*>> wakes_;
};

}  // namespace windlass::resolver

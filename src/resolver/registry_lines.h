// RegistryLines: for each registry the lookups that wait for their turn, and the gate they wait at.
//
// Turns are fair between owners: an owner's first image comes before the second image of those who
// came a little earlier, as in weighted fair queueing. Registries do not wait for each other; where
// there is not enough for all (see InFlight), they take turns. Not thread-safe; told the time.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "in_flight.h"
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

  // While its gate would admit one and too many of all registries are under way.
  std::optional<Standing> held = std::nullopt;
  std::list<RegistryLine*>::iterator held_place = {};
};

// Invariant: a line is in `wakes_` exactly while its `wake` is not for ever, and in a list of
// `held_` exactly while `held` is set.
class RegistryLines {
 public:
  RegistryLines(const RegistryLimits& limits, InFlight in_flight)
      : limits_(limits), in_flight_(in_flight) {}

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

  // Changes a line's gate otherwise than by admit(), which is to follow.
  template <class Change>
  void change(RegistryLine& line, const Change& change_gate) {
    in_flight_.take_out(line.gate);
    change_gate(line.gate);
    in_flight_.add(line.gate);
  }

  // A running try is cancelled, as nobody waits for it; and has ended.
  void abandon(RegistryLine& line);
  std::vector<LookupId> end_abandoned(TimePoint now);

  // Tries under way at a time, of all registries.
  std::vector<LookupId> set_in_flight_max(TimePoint now, int max);

  // Lets through who may go now, of this line and of those that waited for its tries to end, and
  // plans when to look again.
  std::vector<LookupId> admit(TimePoint now, RegistryLine& line);

  // Lets through, of all registries, who had to wait for a time that has come.
  std::vector<LookupId> tick(TimePoint now);
  TimePoint next_tick() const;

  bool empty() const { return lines_.empty() && wakes_.empty(); }
  std::vector<RegistryStatus> status(TimePoint now) const;

 private:
  void set_wake(RegistryLine& line, TimePoint wake);

  // Puts the line last in the list it belongs in, and plans when to look again.
  void hold(TimePoint now, RegistryLine& line);
  void let_go(RegistryLine& line);
  void admit_held(TimePoint now, std::vector<LookupId>& admitted);
  LookupId admit_one(TimePoint now, RegistryLine& line);

  const RegistryLimits limits_;
  InFlight in_flight_;

  std::unordered_map<std::string, RegistryLine> lines_;
  std::set<std::pair<TimePoint, RegistryLine*>> wakes_;
  std::array<std::list<RegistryLine*>, kStandings> held_;  // by Standing
};

}  // namespace windlass::resolver

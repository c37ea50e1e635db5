// InFlight: how many tries of all registries are under way, and whether one more may be.
//
// It counts; RegistryLines knows who waits. Not thread-safe.
#pragma once

#include <cstddef>

#include "registry_gate.h"

namespace windlass::resolver {

// How a registry stands when it is asked for one more try.
enum class Standing {
  kIdle,     // it has none under way
  kAnswers,  // what it was asked last, it answered
  kSilent,   // it has not answered yet, or its last tries failed
};
inline constexpr std::size_t kStandings = 3;

Standing standing_of(const RegistryGate& gate);

// Invariant: no more than `max` are under way, and `beyond` idle registries' first ones; of `max`,
// only half belong to silent registries. So however many registries do not answer, one that does is
// asked at once, and has at least half of `max` from its first answer on.
class InFlight {
 public:
  InFlight(int max, int beyond);

  void set_max(int max) { max_ = max; }
  bool admits(Standing standing) const;

  // What a registry has under way; taken out before its gate changes, and put in again after.
  void add(const RegistryGate& gate);
  void take_out(const RegistryGate& gate);

  // One that nobody waits for any more goes on until its end.
  void abandon() { ++abandoned_; }
  void end_abandoned();

 private:
  int max_;
  const int beyond_;
  int under_way_ = 0;
  int silent_ = 0;  // of them
  int abandoned_ = 0;
};

}  // namespace windlass::resolver

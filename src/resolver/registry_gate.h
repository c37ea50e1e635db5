// RegistryGate: whether one registry may be asked now, and if not, when.
//
// It counts the tries under way, spends tokens, stays away when the registry says that it is asked
// too much, and then lets fewer through at once, and stays shut for a while after failures in a row
// (a circuit breaker: then one try probes before the others follow). It holds nobody who waits. Not
// thread-safe; told the time.
#pragma once

#include <optional>

#include "windlass/base/error.h"
#include "windlass/base/time.h"
#include "windlass/resolver/options.h"

namespace windlass::resolver {

// For how long whoever answered with `error` is left alone; nullopt when it did not ask for that.
std::optional<Duration> pause_asked_for(const Error& error);

// Invariant: 0 <= under_way_; 1 <= room_ <= in_flight_max; the breaker is tripped exactly while
// `trips_` > 0.
class RegistryGate {
 public:
  explicit RegistryGate(const RegistryLimits& limits);

  // The earliest time for the next try as far as time goes; <= `now` means at once.
  TimePoint opens_at(TimePoint now) const;

  // The part of it that is owed to the registry's failures, as cause() tells.
  TimePoint shut_until() const;

  // Whether one more may be under way. While the breaker is tripped there is room for one, and
  // while tries fail for no more than it takes to trip it. Being throttled halves the room, and
  // answers give it back little by little.
  bool has_room() const { return under_way_ < room(); }

  bool admits(TimePoint now) const { return has_room() && opens_at(now) <= now; }

  // One more is under way; it ends by one of the members below.
  void admit(TimePoint now);

  void withdraw(TimePoint now);                        // it was never made: gives its token back
  void abandon() { --under_way_; }                     // nobody waits for its end any more
  void end_answered();                                 // the registry is there, whatever it said
  void end_failed(TimePoint now, const Error& error);  // with a failure that may pass

  // Why it is shut, or was last: the failure that shut it.
  const std::optional<Error>& cause() const { return cause_; }
  bool tripped() const { return trips_ > 0; }

  // It has answered, and has not failed since.
  bool answers() const { return answered_ && failures_ == 0; }
  int under_way() const { return under_way_; }

  // From when on nothing worth remembering is left, if nothing else happens.
  TimePoint forgettable_at() const;

 private:
  int room() const;
  double tokens_at(TimePoint now) const;
  void throttle(TimePoint now, const Error& error);

  const RegistryLimits limits_;

  int under_way_ = 0;
  int failures_ = 0;   // in a row
  int trips_ = 0;      // in a row
  int throttles_ = 0;  // in a row
  bool answered_ = false;
  double room_;                // for tries under way
  TimePoint parked_until_{};   // because the registry is asked too much
  TimePoint tripped_until_{};  // because of failures
  TimePoint last_failure_{};
  double tokens_;
  TimePoint tokens_time_{};
  std::optional<Error> cause_;
};

}  // namespace windlass::resolver

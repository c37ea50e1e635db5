// RegistryGate: whether one registry may be asked now, and if not, when.
//
// It counts the tries under way, spends tokens, keeps the time that the registry asked us to stay
// away, and stays shut for a while after failures in a row (a circuit breaker: then one try probes
// before the others follow). It holds nobody who waits. Not thread-safe; told the time.
#pragma once

#include <optional>

#include "windlass/base/error.h"
#include "windlass/base/time.h"
#include "windlass/resolver/options.h"

namespace windlass::resolver {

// Invariant: 0 <= under_way_; the breaker is tripped exactly while `trips_` > 0.
class RegistryGate {
 public:
  explicit RegistryGate(const RegistryLimits& limits);

  // The earliest time for the next try as far as time goes; <= `now` means at once.
  TimePoint opens_at(TimePoint now) const;

  // The part of it that is owed to the registry's failures, as cause() tells.
  TimePoint shut_until() const;

  // Whether one more may be under way. While the breaker is tripped there is room for one.
  bool has_room() const;

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
  int under_way() const { return under_way_; }

  // From when on nothing worth remembering is left, if nothing else happens.
  TimePoint forgettable_at() const;

 private:
  double tokens_at(TimePoint now) const;

  const RegistryLimits limits_;

  int under_way_ = 0;
  int failures_ = 0;           // in a row
  int trips_ = 0;              // in a row
  TimePoint parked_until_{};   // because the registry asked for it
  TimePoint tripped_until_{};  // because of failures
  TimePoint last_failure_{};
  double tokens_;
  TimePoint tokens_time_{};
  std::optional<Error> cause_;
};

}  // namespace windlass::resolver

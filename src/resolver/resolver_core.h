// ResolverCore: what BackgroundResolver knows and decides, without its threads.
//
// It holds owners, their epochs and their answers; LookupTable holds the lookups they share. It
// calls nobody: what is to be done outside is handed out as Commands, and owners to be called back
// one at a time. Not thread-safe; told the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "digest_cache.h"
#include "digest_journal.h"
#include "lookup_table.h"
#include "outcomes.h"
#include "owner.h"
#include "retry_delay.h"
#include "windlass/base/result.h"
#include "windlass/resolver/answer.h"
#include "windlass/resolver/options.h"
#include "windlass/resolver/status.h"

namespace windlass::resolver {

// Invariant: an owner is in `deadlines_` exactly while pending, or idle with penalties; in
// `callbacks_` exactly while its epoch's callback is due. An epoch's callback becomes due once.
class ResolverCore {
 public:
  // `tracer` outlives it.
  explicit ResolverCore(const Options& options,
                        telemetry::Tracer& tracer = telemetry::null_tracer());

  // Digests of an earlier run, each as old as it is.
  void restore(TimePoint now, WallTime wall_now, std::span<const JournalEntry> entries);

  // See BackgroundResolver.
  std::optional<Answer> resolve(TimePoint now, const std::string& owner,
                                std::span<const std::string> images, const ResolveOptions& options);
  void clear(TimePoint now, const std::string& owner);
  void forget(TimePoint now, const std::string& owner);
  void set_in_flight_max(TimePoint now, int lookups);

  // The queue has handed out `id`: nullopt when there is nothing to do for it.
  std::optional<Try> start(TimePoint now, LookupId id);

  // The try of `id` that start() gave has ended.
  void finish(TimePoint now, LookupId id, Result<registry::Resolution> result);

  // Does what the time has come for: deadlines of owners, the end of penalties, turns of lookups.
  void tick(TimePoint now);
  TimePoint next_tick() const;

  // From now on new epochs fail with kCancelled, and are neither remembered nor called back.
  // Pending owners go on, except those that would do so for ever: without a deadline yet, and with
  // nothing in flight allowed, now or later. They get kCancelled.
  void close(TimePoint now);
  bool closed() const { return closed_; }

  // Gives every pending owner kCancelled for what it still waits for.
  void cancel_pending(TimePoint now);

  bool has_callback() const { return !callbacks_.empty(); }
  // The next owner to call back; nullopt when there is none.
  std::optional<std::string> take_callback();

  // To be taken and carried out after each call of the members above.
  Commands take_commands() { return lookups_.take_commands(); }

  std::size_t pending_owners() const { return owner_counts_.pending; }
  Status status(TimePoint now, std::size_t details_max) const;
  const Tallies& tallies() const { return tallies_; }

  // True when nothing is remembered about anybody; what registries said is nobody's.
  bool empty() const;

 private:
  void cancel_endless(TimePoint now);
  void cancel(TimePoint now, std::vector<Owner*> owners);

  SharedOptions share(const ResolveOptions& options);
  void begin_epoch(TimePoint now, Owner& owner, std::span<const std::string> images,
                   const ResolveOptions& options);
  void end_epoch(TimePoint now, Owner& owner);
  void begin_slot(TimePoint now, Owner& owner, std::size_t index);
  void await_lookup(TimePoint now, Owner& owner, std::size_t index,
                    const image::ImageReference& reference);

  // Fills a slot that has no lookup (any more).
  void answer(Owner& owner, std::size_t slot, Outcome outcome);
  // The same, for one that needs no lookup.
  void answer(Owner& owner, std::size_t slot, Outcome outcome, Origin origin);
  void succeed(TimePoint now, Lookup& lookup, registry::Resolution resolution);
  void fail_try(TimePoint now, Lookup& lookup, Error error);

  // `failure`, or the last digest where that may stand in for it.
  Outcome or_stale(TimePoint now, const std::string& key, Outcome failure);

  // Gives an owner that has failed for good the failures known so far, rather than more tries.
  void stop_retrying(TimePoint now, Owner& owner);
  void time_out(TimePoint now, Owner& owner);

  // Answers those who wait for a registry that will not be asked before their deadline.
  void give_up_in_vain(TimePoint now, const std::vector<Waiter>& waiters);
  void become_ready(Owner& owner);
  std::vector<OwnerStatus> most_urgent(TimePoint now, std::size_t count) const;
  std::vector<FailedOwner> last_failed(std::size_t count) const;

  void set_deadline(Owner& owner, TimePoint deadline);
  void begin_deadline(TimePoint now, Owner& owner);  // of an owner that has its first try
  void unset_deadline(Owner& owner);

  const Options options_;

  RetryDelay retry_delay_;
  Tallies tallies_;
  LookupTable lookups_;
  DigestCache cache_;
  std::unordered_map<std::string, Owner> owners_;
  std::map<std::pair<TimePoint, std::uint64_t>, Owner*> deadlines_;  // with the owner's epoch
  std::list<Owner*> callbacks_;
  std::list<Owner*> failed_;  // in state kFailed, the latest first
  std::weak_ptr<const ResolveOptions> last_options_;
  std::uint64_t last_epoch_ = 0;
  int in_flight_max_;
  bool closed_ = false;

  OwnerCounts owner_counts_;
  ImageCounts image_counts_;
  std::uint64_t tries_ = 0;
};

}  // namespace windlass::resolver

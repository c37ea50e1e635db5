// LookupTable: the lookups that somebody waits for, and who waits for which.
//
// It decides when a lookup is tried; what a result means for its owners is ResolverCore's work.
// Not thread-safe; told the time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "commands.h"
#include "lookup.h"
#include "owner.h"
#include "registry_lines.h"
#include "tallies.h"
#include "windlass/resolver/status.h"
#include "windlass/telemetry/tracer.h"

namespace windlass::resolver {

// Invariant: every lookup has a waiter, and each waiter's slot points back at it. A lookup whose
// last waiter leaves is dropped, its running try cancelled.
class LookupTable {
 public:
  // `tallies` and `tracer` outlive it.
  LookupTable(const RegistryLimits& limits, InFlight in_flight, Tallies& tallies,
              telemetry::Tracer& tracer)
      : tallies_(tallies), tracer_(tracer), lines_(limits, in_flight) {}

  // Equal for those who may share an answer: the normalised reference, what of it is asked for, and
  // the identity of the credentials, with line breaks between them.
  static std::string key_of(const ResolveOptions& options, const image::ImageReference& reference);
  static std::string_view image_of(const Lookup& lookup);

  Lookup* find(std::string_view key);

  // What a new lookup is made of.
  struct Wanted {
    std::string key;
    const std::string& host;
    SharedOptions options;
    std::size_t rank;  // how many other lookups its owner wanted first
    int failures;      // in a row, before
    TimePoint first_try;
  };

  // Its caller joins it next.
  Lookup& add(TimePoint now, Wanted wanted);

  void join(Lookup& lookup, Waiter waiter);

  // Brings the next try forward to `when`, if it would come later and is not running.
  void hasten(TimePoint now, Lookup& lookup, TimePoint when);

  // Takes one waiter off; its slot's pointer is cleared.
  void leave(TimePoint now, Waiter waiter);

  // Takes all waiters off and ends the lookup.
  std::vector<Waiter> end(TimePoint now, Lookup& lookup);

  // After a failed try: takes off those who `give_up`, and plans the next try for the others.
  std::vector<Waiter> retry(TimePoint now, Lookup& lookup, TimePoint next_try,
                            const std::function<bool(const Owner&)>& give_up);

  void set_in_flight_max(TimePoint now, int max) {
    let_through(lines_.set_in_flight_max(now, max));
  }

  // Marks the lookup as running, if it still is wanted and due.
  std::optional<Try> start(TimePoint now, LookupId id);

  // Ends the running try, which failed with `error` if that is set; the caller then calls end() or
  // retry(). Null when the lookup has been dropped meanwhile.
  Lookup* finish(TimePoint now, LookupId id, const Error* error);

  // The line of a registry, if anything is known of it.
  const RegistryLine* line_of(const std::string& host) { return lines_.find(host); }

  // Waiters in line whose deadline comes before the gate opens: of a registry, or of one lookup.
  std::vector<Waiter> waiting_in_vain(TimePoint now, const std::string& host);
  std::vector<Waiter> waiting_in_vain(TimePoint now, LookupId id);

  // Those who wait for a lookup that there is.
  const std::vector<Waiter>& waiters(LookupId id) const { return by_id_.at(id)->waiters; }

  // Lets through who had to wait for a time that has come.
  void tick(TimePoint now);
  TimePoint next_tick() const { return lines_.next_tick(); }

  // For the journal.
  void note(const std::string& key, const Outcome& outcome) {
    commands_.told.emplace_back(key, outcome);
  }

  // Options that are no longer used by whoever gives them.
  void release(SharedOptions options);

  Commands take_commands();

  std::size_t size() const { return by_id_.size(); }
  bool empty() const { return by_id_.empty() && by_key_.empty(); }
  std::vector<RegistryStatus> registries(TimePoint now) const { return lines_.status(now); }
  std::size_t running() const { return running_; }

  // Since when the oldest is wanted.
  std::optional<Duration> oldest_age(TimePoint now) const;

  // The oldest ones, at most `count`.
  std::vector<LookupStatus> details(TimePoint now, std::size_t count) const;

 private:
  void stand_in_line(TimePoint now, Lookup& lookup);
  void admit(TimePoint now, RegistryLine& line);
  void let_through(const std::vector<LookupId>& admitted);

  // Ends a lookup without waiters.
  void erase(TimePoint now, Lookup& lookup);
  void end_span(Lookup& lookup);

  Tallies& tallies_;
  telemetry::Tracer& tracer_;

  LookupId last_id_ = 0;
  std::size_t running_ = 0;
  RegistryLines lines_;
  std::unordered_map<LookupId, std::unique_ptr<Lookup>> by_id_;
  std::unordered_map<std::string_view, Lookup*> by_key_;  // views of Lookup::key
  Commands commands_;
};

}  // namespace windlass::resolver

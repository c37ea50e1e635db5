// DigestCache: what registries said lately, so that asking again so soon is not needed.
//
// Digests and lasting failures are kept, each for its own time; a digest may be kept longer, to
// fall back on while its registry cannot be asked. Not thread-safe; told the time.
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "outcomes.h"
#include "windlass/base/time.h"
#include "windlass/resolver/options.h"

namespace windlass::resolver {

// Invariant: at most `entries_max` entries, of which those used last are kept.
class DigestCache {
 public:
  explicit DigestCache(const CacheOptions& options) : options_(options) {}

  // What is known of a lookup key and still counts; null when it has to be asked for.
  Outcome find(TimePoint now, const std::string& key);

  // The last digest, though it counts no more; null when there is none or it is too old.
  Outcome find_stale(TimePoint now, const std::string& key);

  // An answer of the registry. Failures that may pass are not kept, and take nothing away.
  void put(TimePoint now, const std::string& key, const Outcome& outcome);

  // A digest of an earlier run, under its journal_key(): found by every lookup key that has it,
  // until put() knows better.
  void restore(TimePoint fresh_until, TimePoint kept_until, const std::string& key,
               const Outcome& outcome);

  std::size_t size() const { return by_key_.size(); }

 private:
  struct Entry {
    std::string key;
    Outcome outcome;  // as it is given out: `cached`, no tries
    TimePoint fresh_until;
    TimePoint kept_until;  // >= fresh_until
    bool restored = false;
  };
  using Entries = std::list<Entry>;

  Duration time_to_live(const ImageResult& result) const;
  Entry* find_entry(TimePoint now, const std::string& key);
  Entry& make_entry(const std::string& key);
  void erase(Entries::iterator entry);

  const CacheOptions options_;

  std::size_t restored_ = 0;  // entries
  Entries entries_;           // used last first
  std::unordered_map<std::string_view, Entries::iterator> by_key_;
};

}  // namespace windlass::resolver

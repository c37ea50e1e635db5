#include "digest_cache.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "digest_journal.h"

namespace windlass::resolver {

Outcome DigestCache::find(TimePoint now, const std::string& key) {
  const Entry* entry = find_entry(now, key);
  return entry != nullptr && now < entry->fresh_until ? entry->outcome : nullptr;
}

Outcome DigestCache::find_stale(TimePoint now, const std::string& key) {
  const Entry* entry = find_entry(now, key);
  return entry != nullptr && entry->outcome->resolved() ? entry->outcome : nullptr;
}

void DigestCache::put(TimePoint now, const std::string& key, const Outcome& outcome) {
  const Duration fresh = time_to_live(*outcome);
  const Duration kept = outcome->resolved() ? std::max(fresh, options_.stale) : fresh;
  if (kept <= Duration::zero() || options_.entries_max == 0) return;

  if (restored_ > 0) {
    const auto old = by_key_.find(journal_key(key));
    if (old != by_key_.end()) erase(old->second);
  }
  Entry& entry = make_entry(key);
  ImageResult given = *outcome;
  given.cached = true;
  given.tries = 0;
  entry.outcome = std::make_shared<const ImageResult>(std::move(given));
  entry.fresh_until = saturating_add(now, fresh);
  entry.kept_until = saturating_add(now, kept);
}

void DigestCache::restore(TimePoint fresh_until, TimePoint kept_until, const std::string& key,
                          const Outcome& outcome) {
  if (options_.entries_max == 0) return;
  Entry& entry = make_entry(key);
  if (!std::exchange(entry.restored, true)) ++restored_;
  entry.outcome = outcome;
  entry.fresh_until = fresh_until;
  entry.kept_until = std::max(fresh_until, kept_until);
}

DigestCache::Entry& DigestCache::make_entry(const std::string& key) {
  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    if (by_key_.size() >= options_.entries_max) erase(std::prev(entries_.end()));
    entries_.push_front(Entry{.key = key});
    found = by_key_.emplace(entries_.front().key, entries_.begin()).first;
  }
  entries_.splice(entries_.begin(), entries_, found->second);
  return entries_.front();
}

void DigestCache::erase(Entries::iterator entry) {
  if (entry->restored) --restored_;
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

Duration DigestCache::time_to_live(const ImageResult& result) const {
  if (!result.failed()) return options_.digest;
  switch (result.error->code) {
    case ErrorCode::kNotFound: return options_.not_found;
    case ErrorCode::kUnauthenticated:
    case ErrorCode::kForbidden: return options_.refused;
    case ErrorCode::kInvalid: return options_.not_found;
    case ErrorCode::kThrottled:
    case ErrorCode::kUnavailable:
    case ErrorCode::kTimedOut:
    case ErrorCode::kConflict:
    case ErrorCode::kCancelled:
    case ErrorCode::kCorrupt:
    case ErrorCode::kInternal: return {};
  }
  return {};
}

DigestCache::Entry* DigestCache::find_entry(TimePoint now, const std::string& key) {
  auto found = by_key_.find(key);
  if (found == by_key_.end() && restored_ > 0) found = by_key_.find(journal_key(key));
  if (found == by_key_.end()) return nullptr;
  const Entries::iterator entry = found->second;
  if (now >= entry->kept_until) {
    erase(entry);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return &*entry;
}

}  // namespace windlass::resolver

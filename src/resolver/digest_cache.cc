#include "digest_cache.h"

#include <algorithm>
#include <utility>

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

  auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    if (by_key_.size() >= options_.entries_max) {
      by_key_.erase(entries_.back().key);
      entries_.pop_back();
    }
    entries_.push_front(Entry{.key = key});
    found = by_key_.emplace(entries_.front().key, entries_.begin()).first;
  }
  entries_.splice(entries_.begin(), entries_, found->second);
  Entry& entry = *found->second;
  ImageResult given = *outcome;
  given.cached = true;
  given.tries = 0;
  entry.outcome = std::make_shared<const ImageResult>(std::move(given));
  entry.fresh_until = saturating_add(now, fresh);
  entry.kept_until = saturating_add(now, kept);
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
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  const Entries::iterator entry = found->second;
  if (now >= entry->kept_until) {
    by_key_.erase(found);
    entries_.erase(entry);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return &*entry;
}

}  // namespace windlass::resolver

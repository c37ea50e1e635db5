// FailureCounts: how often each key has failed.
//
// Thread safety: all members may be called from any thread; the lock is a leaf.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "windlass/workqueue/detail/burst_lock.h"
#include "windlass/workqueue/detail/key_index.h"
#include "windlass/workqueue/key.h"

namespace windlass::workqueue::detail {

// Invariant: the index holds exactly the keys counted and not forgotten, each with a count >= 1.
// It is bounded by the caller, who forgets every key it stops retrying.
template <QueueKey Key>
class FailureCounts {
 public:
  // Counts one more and returns how many there were before. Saturates.
  int add(KeyView<Key> key) EXCLUDES(lock_) {
    BurstGuard guard(lock_);
    const std::uint32_t hash = index_.hash(key);
    Handle handle = index_.find(key, hash);
    if (handle == kNoHandle) handle = index_.insert(key, hash);
    int& count = index_.state(handle).count;
    return count < std::numeric_limits<int>::max() ? count++ : count;
  }

  // Takes back one add(). Nothing, when the key was forgotten since.
  void undo(KeyView<Key> key) EXCLUDES(lock_) {
    BurstGuard guard(lock_);
    const Handle handle = index_.find(key, index_.hash(key));
    if (handle != kNoHandle && --index_.state(handle).count == 0) index_.erase(handle);
  }

  // False when the key had no failures.
  bool forget(KeyView<Key> key) EXCLUDES(lock_) {
    BurstGuard guard(lock_);
    const Handle handle = index_.find(key, index_.hash(key));
    if (handle == kNoHandle) return false;
    index_.erase(handle);
    return true;
  }

  int count(KeyView<Key> key) const EXCLUDES(lock_) {
    BurstGuard guard(lock_);
    const Handle handle = index_.find(key, index_.hash(key));
    return handle == kNoHandle ? 0 : index_.state(handle).count;
  }

 private:
  struct Failures {
    std::uint32_t hash = 0;
    int count = 0;
  };

  mutable BurstLock lock_;
  KeyIndex<Key, Failures> index_ GUARDED_BY(lock_){seed_from(this)};
};

}  // namespace windlass::workqueue::detail

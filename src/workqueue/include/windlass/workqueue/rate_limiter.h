// RateLimiter: how long a key waits before it is tried again.
//
// A limiter only answers with a delay: it never sleeps and holds no work. Its memory is bounded by
// the keys being retried, so whoever retries a key forgets it in the end.
//
// Thread safety: all members of all limiters may be called from any thread. No limiter calls out
// while it holds its lock, so that lock is a leaf (MaxOf and WithMaxWait have none of their own).
#pragma once

#include "windlass/base/time.h"
#include "windlass/workqueue/key.h"

namespace windlass::workqueue {

template <QueueKey Key>
class RateLimiter {
 public:
  virtual ~RateLimiter() = default;

  // Counts one more failure of `key` and returns how long it waits, which is >= 0.
  virtual Duration next_delay(KeyView<Key> key) = 0;

  // Ends the retrying of `key`, by success or by giving up. False when nothing was known of it.
  virtual bool forget(KeyView<Key> key) = 0;

  // Failures since the last forget(); 0 where the limiter keeps no count per key.
  virtual int num_requeues(KeyView<Key> key) const = 0;

  // The last next_delay(key) led to no try of its own: the key was waiting already. Returns what
  // all keys share (a token), not the failure.
  virtual void give_back(KeyView<Key> key) { static_cast<void>(key); }

  // The last next_delay(key) led to no retry at all: the queue refused the key. Undoes the failure
  // too, so that what is known of the key is what was known before. Whoever counts failures
  // overrides this: a refused key is nobody's to forget.
  virtual void undo(KeyView<Key> key) { give_back(key); }
};

}  // namespace windlass::workqueue

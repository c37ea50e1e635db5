// RetryDelay: how long to pause after a failed try: exponential, with jitter.
//
// It remembers nothing about what failed; whoever retries keeps the count, so nothing has to be
// forgotten here. Not thread-safe.
#pragma once

#include "windlass/base/random.h"
#include "windlass/base/time.h"
#include "windlass/workqueue/exponential_backoff.h"

namespace windlass::resolver {

class RetryDelay {
 public:
  // `backoff.base` > 0, `backoff.max` >= base, `jitter` >= 0: the share of each pause that may be
  // added to it.
  RetryDelay(workqueue::ExponentialBackoffOptions backoff, double jitter, Random random);

  // The pause after `failures` >= 1 failures in a row: base, 2 base, 4 base, ..., max.
  Duration after(int failures);

  Duration base() const { return backoff_.base; }
  Duration max() const { return backoff_.max; }

 private:
  const workqueue::ExponentialBackoffOptions backoff_;
  const double jitter_;

  Random random_;
};

}  // namespace windlass::resolver

#include "windlass/workqueue/token_bucket.h"

#include <algorithm>
#include <cmath>

#include "windlass/base/check.h"

namespace windlass::workqueue {

Bucket::Bucket(TokenBucketOptions options) {
  WINDLASS_CHECK(options.per_second > 0 && options.per_second <= 1e9 && options.burst >= 1);
  // A century between two tokens is as good as never, and cannot overflow with any burst.
  const double interval = std::min(1e9 / options.per_second, 3.15e18 / options.burst);
  interval_ = Duration(std::llround(interval));
  depth_ = interval_ * options.burst;
}

Duration Bucket::reserve(TimePoint now) {
  paid_until_ = saturating_add(std::max(paid_until_, now), interval_);
  // A saturated debt may not reach across the whole range of Duration when now is negative.
  const TimePoint available = saturating_add(paid_until_, -depth_);
  return available <= now ? Duration::zero() : available - now;
}

void Bucket::give_back() { paid_until_ = saturating_add(paid_until_, -interval_); }

}  // namespace windlass::workqueue

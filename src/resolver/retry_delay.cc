#include "retry_delay.h"

#include <algorithm>

#include "windlass/base/check.h"

namespace windlass::resolver {

RetryDelay::RetryDelay(workqueue::ExponentialBackoffOptions backoff, double jitter, Random random)
    : backoff_(backoff), jitter_(jitter), random_(random) {
  WINDLASS_CHECK(backoff.base > Duration::zero() && backoff.max >= backoff.base && jitter >= 0);
}

Duration RetryDelay::after(int failures) {
  WINDLASS_CHECK(failures >= 1);
  const Duration delay = workqueue::exponential_delay(backoff_, failures - 1);
  const double extra = static_cast<double>(delay.count()) * jitter_;
  const double room = static_cast<double>((Duration::max() - delay).count());
  return delay + random_.up_to(Duration(static_cast<Duration::rep>(std::min(extra, room / 2))));
}

}  // namespace windlass::resolver

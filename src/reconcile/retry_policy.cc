#include "windlass/reconcile/retry_policy.h"

namespace windlass::reconcile {

RetryPolicy retry_while_requeues_below(int max_retries) {
  return [max_retries](const FailedRun& run) {
    return run.requeues < max_retries ? RetryDecision::with_backoff() : RetryDecision::give_up();
  };
}

RetryPolicy retry_while_tries_below(int tries_max) {
  return [tries_max](const FailedRun& run) {
    return run.tries < tries_max ? RetryDecision::with_backoff() : RetryDecision::give_up();
  };
}

}  // namespace windlass::reconcile

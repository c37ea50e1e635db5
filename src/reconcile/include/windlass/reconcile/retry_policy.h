// RetryPolicy: whether a key that failed is tried again, and when.
//
// Thread safety: a policy is called from all workers at the same time, never under a lock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "windlass/base/error.h"
#include "windlass/base/time.h"

namespace windlass::reconcile {

struct FailedRun {
  std::string_view key;
  int tries = 1;  // runs that failed in a row, this one included
  // What the rate limiter has counted for the key, without the requeues that its handler asked for
  // and what was merged into a waiting key; and at least `tries` - 1, for limiters that do not
  // count and retries they were not asked about.
  int requeues = 0;
  TimePoint first_added{};  // when the first of these runs was asked for
  const Error& error;
};

struct RetryDecision {
  bool retry = false;
  std::optional<Duration> delay = std::nullopt;         // nullopt: what the rate limiter says
  std::optional<std::int32_t> priority = std::nullopt;  // of the retry; nullopt keeps this run's
  std::string reason = {};                              // why it is given up, for the log

  static RetryDecision give_up(std::string reason = "maximum retries reached") {
    return {.reason = std::move(reason)};
  }
  static RetryDecision with_backoff() { return {.retry = true}; }
  static RetryDecision after(Duration delay) { return {.retry = true, .delay = delay}; }
};

using RetryPolicy = std::function<RetryDecision(const FailedRun&)>;

// Retries while the rate limiter has counted less than `max_retries`. The limiter counts a rate
// limited enqueue too: a key is handled at most `max_retries` times when it was first enqueued so,
// however often, and once more when it was enqueued without. (The rule of virtual-kubelet's first
// queue, but for enqueueing often.)
RetryPolicy retry_while_requeues_below(int max_retries);

// Handles a key at most `tries_max` times, however it was enqueued. (virtual-kubelet's later rule.)
RetryPolicy retry_while_tries_below(int tries_max);

}  // namespace windlass::reconcile

#include "registry_gate.h"

#include <algorithm>

#include "windlass/base/check.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/workqueue/exponential_backoff.h"

namespace windlass::resolver {
namespace {

double seconds_between(TimePoint from, TimePoint to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

std::optional<Duration> pause_asked_for(const Error& error) {
  if (!error.retry_after) return std::nullopt;
  return std::min<Duration>(*error.retry_after, registry::kLongestPause);
}

RegistryGate::RegistryGate(const RegistryLimits& limits)
    : limits_(limits), room_(limits.in_flight_max), tokens_(limits.burst) {
  WINDLASS_CHECK(limits.in_flight_max >= 1 && limits.per_second >= 0 && limits.burst >= 1);
}

TimePoint RegistryGate::opens_at(TimePoint now) const {
  const double tokens = tokens_at(now);
  if (limits_.per_second <= 0 || tokens >= 1) return shut_until();
  const std::chrono::duration<double> wait((1 - tokens) / limits_.per_second);
  // One tick more, so that rounding never leaves the token a hair short.
  return std::max(shut_until(), now + std::chrono::duration_cast<Duration>(wait) + Duration(1));
}

TimePoint RegistryGate::shut_until() const { return std::max(parked_until_, tripped_until_); }

int RegistryGate::room() const {
  if (tripped()) return 1;
  const int room = static_cast<int>(room_);
  return failures_ == 0 ? room : std::min(room, limits_.breaker_failures - failures_);
}

void RegistryGate::admit(TimePoint now) {
  ++under_way_;
  tokens_ = tokens_at(now) - 1;
  tokens_time_ = now;
}

void RegistryGate::withdraw(TimePoint now) {
  --under_way_;
  tokens_ = std::min<double>(limits_.burst, tokens_at(now) + 1);
  tokens_time_ = now;
}

void RegistryGate::end_answered() {
  --under_way_;
  answered_ = true;
  failures_ = 0;
  trips_ = 0;
  throttles_ = 0;
  room_ = std::min<double>(limits_.in_flight_max, room_ + 1 / room_);
  tripped_until_ = {};
}

void RegistryGate::end_failed(TimePoint now, const Error& error) {
  --under_way_;
  last_failure_ = now;
  if (error.code == ErrorCode::kThrottled) {
    // It answers, so the breaker has nothing to do with it.
    answered_ = true;
    throttle(now, error);
    return;
  }
  if (limits_.breaker_failures == 0 || ++failures_ < limits_.breaker_failures) return;
  // Those that were under way when it tripped tell nothing new.
  if (tripped() && now < tripped_until_) return;
  const Duration pause = workqueue::exponential_delay(
      {.base = limits_.breaker_pause, .max = limits_.breaker_pause_max}, trips_);
  ++trips_;
  tripped_until_ = saturating_add(now, pause);
  cause_ = error;
}

void RegistryGate::throttle(TimePoint now, const Error& error) {
  const Duration pause = pause_asked_for(error).value_or(workqueue::exponential_delay(
      {.base = limits_.throttle_pause, .max = limits_.breaker_pause_max}, throttles_));
  // Those that were under way when it first said so tell no more than how long.
  if (now >= parked_until_) {
    ++throttles_;
    room_ = std::max(1.0, room_ / 2);
  } else if (!error.retry_after) {
    return;
  }
  parked_until_ = std::max(parked_until_, saturating_add(now, pause));
  cause_ = error;
}

TimePoint RegistryGate::forgettable_at() const {
  TimePoint when = shut_until();
  if (failures_ > 0 || room_ < limits_.in_flight_max)
    when = std::max(when, saturating_add(last_failure_, limits_.breaker_pause_max));
  if (limits_.per_second > 0) {
    const std::chrono::duration<double> refill(limits_.burst / limits_.per_second);
    when = std::max(when, tokens_time_ + std::chrono::duration_cast<Duration>(refill));
  }
  return when;
}

double RegistryGate::tokens_at(TimePoint now) const {
  if (limits_.per_second <= 0) return limits_.burst;
  const double refilled = tokens_ + seconds_between(tokens_time_, now) * limits_.per_second;
  return std::min<double>(limits_.burst, refilled);
}

}  // namespace windlass::resolver

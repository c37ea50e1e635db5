// ConnectionDeadlines: ends connections of a server that last too long, however busy they look.
//
// One that is told of a descriptor cuts it off at its time; the server then sees an end of file,
// and closes it as it would any other.
//
// Thread safety: all members may be called from any thread. Lifetime: the clock outlives it.
#pragma once

#include <thread>
#include <unordered_map>

#include "windlass/base/clock.h"
#include "windlass/base/mutex.h"

namespace windlass::telemetry_export {

// Invariant: holds the descriptors between began() and ended(), so none that was given to others.
class ConnectionDeadlines {
 public:
  ConnectionDeadlines(Clock& clock, Duration time_max);
  ConnectionDeadlines(const ConnectionDeadlines&) = delete;
  ConnectionDeadlines& operator=(const ConnectionDeadlines&) = delete;

  void began(int file) EXCLUDES(mutex_);
  void ended(int file) EXCLUDES(mutex_);  // before the server closes it

 private:
  void run(const std::stop_token& stop) EXCLUDES(mutex_);
  TimePoint next() const REQUIRES(mutex_);

  Clock& clock_;
  const Duration time_max_;

  Mutex mutex_;
  CondVar changed_;
  std::unordered_map<int, TimePoint> open_ GUARDED_BY(mutex_);  // until when; max() once cut off

  std::jthread thread_;
};

}  // namespace windlass::telemetry_export

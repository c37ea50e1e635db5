#include "connection_deadlines.h"

#include <sys/socket.h>

#include <algorithm>

namespace windlass::telemetry_export {

ConnectionDeadlines::ConnectionDeadlines(Clock& clock, Duration time_max)
    : clock_(clock), time_max_(time_max) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void ConnectionDeadlines::began(int file) {
  MutexLock lock(mutex_);
  open_[file] = saturating_add(clock_.now(), time_max_);
  changed_.notify_all();
}

void ConnectionDeadlines::ended(int file) {
  MutexLock lock(mutex_);
  open_.erase(file);
}

TimePoint ConnectionDeadlines::next() const {
  TimePoint next = TimePoint::max();
  for (const auto& [file, deadline] : open_) next = std::min(next, deadline);
  return next;
}

void ConnectionDeadlines::run(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  while (!stop.stop_requested()) {
    const TimePoint until = next();
    clock_.wait_until(mutex_, changed_, until, stop, [&] {
      mutex_.assert_held();
      return next() < until;
    });
    const TimePoint now = clock_.now();
    for (auto& [file, deadline] : open_) {
      if (deadline > now) continue;
      // Under the lock, so that the descriptor is still this connection's. It does not block.
      ::shutdown(file, SHUT_RDWR);
      deadline = TimePoint::max();
    }
  }
}

}  // namespace windlass::telemetry_export

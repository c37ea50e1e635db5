#include "running.h"

namespace windlass::registry {

Running::Ticket::Ticket(Running& running) : running_(&running) {
  MutexLock lock(running.mutex_);
  ++running.count_;
}

Running::Ticket::~Ticket() {
  if (running_ == nullptr) return;
  // Notified under the lock: whoever waits may destroy everything once it is released.
  MutexLock lock(running_->mutex_);
  if (--running_->count_ == 0) running_->none_.notify_all();
}

void Running::await_none(Clock& clock) {
  MutexLock lock(mutex_);
  clock.wait(mutex_, none_, {}, [this] {
    mutex_.assert_held();
    return count_ == 0;
  });
}

std::size_t Running::count() const {
  MutexLock lock(mutex_);
  return count_;
}

}  // namespace windlass::registry

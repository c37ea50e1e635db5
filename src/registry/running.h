// Running: counts what still uses a context, so that its owner can wait for the last.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <cstddef>
#include <utility>

#include "windlass/base/clock.h"

namespace windlass::registry {

class Running {
 public:
  // Held by whatever runs. A coroutine takes it as its first parameter, which goes last.
  class Ticket {
   public:
    explicit Ticket(Running& running);
    ~Ticket();
    Ticket(Ticket&& other) noexcept : running_(std::exchange(other.running_, nullptr)) {}
    Ticket& operator=(Ticket&&) = delete;

   private:
    Running* running_;
  };

  Ticket ticket() { return Ticket(*this); }

  void await_none(Clock& clock) EXCLUDES(mutex_);
  std::size_t count() const EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  CondVar none_;
  std::size_t count_ GUARDED_BY(mutex_) = 0;
};

}  // namespace windlass::registry

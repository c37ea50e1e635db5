#include "windlass/app/interruption.h"

#include <unistd.h>

#include <utility>

namespace windlass::app {

void Interruption::add_temporary(const std::string& path) {
  MutexLock lock(mutex_);
  temporaries_.insert(path);
  if (ended_) ::unlink(path.c_str());
}

void Interruption::forget_temporary(const std::string& path) {
  MutexLock lock(mutex_);
  temporaries_.erase(path);
}

bool Interruption::begin_commit() {
  MutexLock lock(mutex_);
  committing_ = !ended_;
  return committing_;
}

void Interruption::end_commit(bool done) {
  MutexLock lock(mutex_);
  committing_ = false;
  committed_ = committed_ || done;
}

bool Interruption::may_tell() {
  MutexLock lock(mutex_);
  return !std::exchange(told_, true);
}

bool Interruption::has_committed() const {
  MutexLock lock(mutex_);
  return committed_;
}

bool Interruption::end_quietly() {
  MutexLock lock(mutex_);
  if (committing_) return false;
  ended_ = true;
  for (const std::string& path : temporaries_) ::unlink(path.c_str());
  return true;
}

}  // namespace windlass::app

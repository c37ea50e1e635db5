// Mutex, MutexLock and CondVar: the standard ones, carrying clang's thread-safety capabilities.
//
// Fields that a mutex protects are marked GUARDED_BY; the clang build turns a missing lock into an
// error. CondVar waits through Clock::wait (windlass/base/clock.h), so that a test's FakeClock can
// move the time.
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define WINDLASS_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define WINDLASS_THREAD_ANNOTATION(x)
#endif

#define CAPABILITY(x) WINDLASS_THREAD_ANNOTATION(capability(x))
#define SCOPED_CAPABILITY WINDLASS_THREAD_ANNOTATION(scoped_lockable)
#define GUARDED_BY(x) WINDLASS_THREAD_ANNOTATION(guarded_by(x))
#define PT_GUARDED_BY(x) WINDLASS_THREAD_ANNOTATION(pt_guarded_by(x))
#define REQUIRES(...) WINDLASS_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) WINDLASS_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) WINDLASS_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) WINDLASS_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define EXCLUDES(...) WINDLASS_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ASSERT_CAPABILITY(x) WINDLASS_THREAD_ANNOTATION(assert_capability(x))
#define RETURN_CAPABILITY(x) WINDLASS_THREAD_ANNOTATION(lock_returned(x))
#define NO_THREAD_SAFETY_ANALYSIS WINDLASS_THREAD_ANNOTATION(no_thread_safety_analysis)

namespace windlass {

class CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }

  // Tells the analysis, at no cost, that the caller holds this mutex; for lambdas it cannot see
  // into.
  void assert_held() const ASSERT_CAPABILITY(this) {}

 private:
  std::mutex mutex_;
};

// Holds a mutex for a scope. May be released early and taken again.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() RELEASE() {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() RELEASE() {
    held_ = false;
    mutex_.unlock();
  }
  void lock() ACQUIRE() {
    mutex_.lock();
    held_ = true;
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

// A place to wait. Waiting goes through Clock; waking is here and needs no lock held.
class CondVar {
 public:
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

  // For implementations of Clock.
  std::condition_variable_any& native() { return condition_; }

 private:
  std::condition_variable_any condition_;
};

}  // namespace windlass

// LazyTime: the time of one call, read from the clock at most once, and only if it is wanted.
//
// Thread safety: none.
#pragma once

#include "windlass/base/clock.h"
#include "windlass/base/time.h"

namespace windlass::workqueue::detail {

class LazyTime {
 public:
  // `recorded`: whether times that only serve as a record are wanted.
  LazyTime(const Clock& clock, bool recorded) : clock_(clock), recorded_(recorded) {}

  TimePoint read() {
    if (!read_) {
      value_ = clock_.now();
      read_ = true;
    }
    return value_;
  }

  // For a record: zero where none is wanted.
  TimePoint record() { return recorded_ ? read() : TimePoint{}; }

  void forget() { read_ = false; }

 private:
  const Clock& clock_;
  TimePoint value_{};
  const bool recorded_;
  bool read_ = false;
};

}  // namespace windlass::workqueue::detail

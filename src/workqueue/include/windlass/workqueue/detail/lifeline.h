// Lifeline: lets calls that somebody else still holds find out that what they are about is gone.
//
// Thread safety: holders may run at any time in any thread; one call runs at a time. cut() waits
// for it, so neither it nor another holder is to be used from within one.
#pragma once

#include <memory>
#include <utility>

#include "windlass/base/mutex.h"

namespace windlass::workqueue::detail {

class Lifeline {
 public:
  // What a call holds; copies are the same.
  class Holder {
   public:
    // Calls `function` unless the line is cut, which then waits until it has returned.
    template <class Function>
    void run(Function&& function) const {
      const MutexLock lock(state_->mutex);
      if (!state_->cut) std::forward<Function>(function)();
    }

   private:
    friend class Lifeline;
    struct State {
      Mutex mutex;
      bool cut GUARDED_BY(mutex) = false;
    };
    std::shared_ptr<State> state_ = std::make_shared<State>();
  };

  const Holder& holder() const { return holder_; }

  void cut() {
    const MutexLock lock(holder_.state_->mutex);
    holder_.state_->cut = true;
  }

 private:
  Holder holder_;
};

}  // namespace windlass::workqueue::detail

// Lifeline: lets calls that somebody else still holds find out that what they are about is gone.
//
// Thread safety: holders may run at any time in any thread. cut() waits for those that run, so it
// is not to be called from within one.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace windlass::workqueue::detail {

class Lifeline {
 public:
  // What a call holds; copies are the same.
  class Holder {
   public:
    // Calls `function` unless the line is cut, which then waits until it has returned.
    template <class Function>
    void run(Function&& function) const {
      const std::shared_lock lock(state_->mutex);
      if (!state_->cut) std::forward<Function>(function)();
    }

   private:
    friend class Lifeline;
    struct State {
      std::shared_mutex mutex;
      bool cut = false;
    };
    std::shared_ptr<State> state_ = std::make_shared<State>();
  };

  const Holder& holder() const { return holder_; }

  void cut() {
    const std::unique_lock lock(holder_.state_->mutex);
    holder_.state_->cut = true;
  }

 private:
  Holder holder_;
};

}  // namespace windlass::workqueue::detail

// PendingRun: one key in the hands of an asynchronous handler, until it is finished.
//
// It may be moved to another thread or kept in a callback. While it lives nobody else gets the key.
//
// Thread safety: one thread at a time. Lifetime: the controller's destructor waits for it.
#pragma once

#include <memory>
#include <string>

#include "windlass/base/result.h"
#include "windlass/reconcile/context.h"
#include "windlass/reconcile/outcome.h"

namespace windlass::reconcile {

class Controller;

class [[nodiscard]] PendingRun {
 public:
  struct State;

  explicit PendingRun(std::unique_ptr<State> state);
  PendingRun(PendingRun&& other) noexcept;
  PendingRun& operator=(PendingRun&&) = delete;

  // A run that was let go unfinished has failed with kInternal, and is retried.
  ~PendingRun();

  // Valid until the run is finished.
  const std::string& key() const;
  const Context& context() const;

  // Ends the run: what follows is as for a handler that returns `result`. Once only.
  void finish(const Result<Outcome>& result);

 private:
  friend class Controller;
  static Error let_go();

  std::unique_ptr<State> state_;
};

}  // namespace windlass::reconcile

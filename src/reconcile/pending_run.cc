#include "windlass/reconcile/pending_run.h"

#include <utility>

#include "pending_run_state.h"
#include "windlass/base/check.h"

namespace windlass::reconcile {

PendingRun::PendingRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
PendingRun::PendingRun(PendingRun&& other) noexcept = default;

PendingRun::~PendingRun() {
  if (state_ == nullptr) return;
  state_->threw = true;
  finish(fail(ErrorCode::kInternal, "the handler let its run go without finishing it"));
}

const std::string& PendingRun::key() const {
  WINDLASS_CHECK(state_ != nullptr);
  return state_->key();
}

const Context& PendingRun::context() const {
  WINDLASS_CHECK(state_ != nullptr);
  return *state_->context;
}

void PendingRun::finish(const Result<Outcome>& result) {
  WINDLASS_CHECK(state_ != nullptr);
  const std::unique_ptr<State> state = std::exchange(state_, nullptr);
  state->controller.finish(*state, result);
}

}  // namespace windlass::reconcile

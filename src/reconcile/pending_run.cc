#include "windlass/reconcile/pending_run.h"

#include <utility>

#include "pending_run_state.h"
#include "windlass/base/check.h"

namespace windlass::reconcile {
namespace {

// The call that this thread is in. A thread's own, since a run may be let go by any other.
thread_local HandlerCall* t_call = nullptr;

}  // namespace

HandlerCall::HandlerCall(const PendingRun::State& run) : run_(&run), outer_(t_call) {
  t_call = this;
}

HandlerCall::~HandlerCall() { t_call = outer_; }

bool HandlerCall::take(std::unique_ptr<PendingRun::State>& run) {
  if (t_call == nullptr || t_call->run_ != run.get()) return false;
  t_call->left_ = std::move(run);
  return true;
}

std::unique_ptr<PendingRun::State> HandlerCall::end() {
  run_ = nullptr;
  return std::move(left_);
}

PendingRun::PendingRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
PendingRun::PendingRun(PendingRun&& other) noexcept = default;

PendingRun::~PendingRun() {
  if (state_ == nullptr || HandlerCall::take(state_)) return;
  state_->threw = true;
  finish(fail(let_go()));
}

Error PendingRun::let_go() {
  return {ErrorCode::kInternal, "the handler let its run go without finishing it"};
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

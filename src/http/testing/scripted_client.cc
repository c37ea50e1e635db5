#include "windlass/http/testing/scripted_client.h"

#include <algorithm>

namespace windlass::http {

ScriptedClient::~ScriptedClient() {
  for (;;) {
    std::unique_ptr<Pending> next;
    {
      MutexLock lock(mutex_);
      if (pending_.empty()) return;
      next = std::move(pending_.front());
      pending_.pop_front();
    }
    next->done(fail(ErrorCode::kCancelled, "the scripted client ends"));
  }
}

void ScriptedClient::send(Request request, std::stop_token stop, Callback done) {
  MutexLock lock(mutex_);
  requests_.push_back(request);
  pending_.push_back(
      std::make_unique<Pending>(std::move(request), std::move(stop), std::move(done)));
}

std::unique_ptr<ScriptedClient::Pending> ScriptedClient::take_next(bool& cancelled) {
  MutexLock lock(mutex_);
  auto next =
      std::ranges::find_if(pending_, [](const auto& p) { return p->stop.stop_requested(); });
  cancelled = next != pending_.end();
  if (!cancelled) next = std::ranges::find_if(pending_, [](const auto& p) { return !p->hangs; });
  if (next == pending_.end()) return nullptr;
  std::unique_ptr<Pending> taken = std::move(*next);
  pending_.erase(next);
  return taken;
}

bool ScriptedClient::answer_next() {
  bool cancelled = false;
  while (std::unique_ptr<Pending> next = take_next(cancelled)) {
    if (cancelled) {
      next->done(fail(ErrorCode::kCancelled, "cancelled"));
      return true;
    }
    if (std::optional<Result<Response>> answer = script_(next->request)) {
      next->done(*std::move(answer));
      return true;
    }
    next->hangs = true;
    MutexLock lock(mutex_);
    pending_.push_back(std::move(next));
  }
  return false;
}

std::vector<Request> ScriptedClient::requests() const {
  MutexLock lock(mutex_);
  return requests_;
}

}  // namespace windlass::http

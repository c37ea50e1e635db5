// ScriptedClient: a Client without a network. Requests wait until the test has them answered, one
// after the other and on the test's own thread, so that a test decides every order of events.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "windlass/base/mutex.h"
#include "windlass/http/client.h"

namespace windlass::http {

class ScriptedClient final : public Client {
 public:
  // Gives the answer to a request, or nothing for a server that never answers.
  using Script = std::function<std::optional<Result<Response>>(const Request&)>;

  explicit ScriptedClient(Script script) : script_(std::move(script)) {}
  ~ScriptedClient() override;

  void send(Request request, std::stop_token stop, Callback done) override;

  // Answers one request that was sent and not yet answered; cancelled ones first, then the oldest.
  // False when none can be answered.
  bool answer_next();

  // Every request sent so far, in order.
  std::vector<Request> requests() const;

 private:
  struct Pending {
    Request request;
    std::stop_token stop;
    Callback done;
    bool hangs = false;
  };

  std::unique_ptr<Pending> take_next(bool& cancelled);

  const Script script_;

  mutable Mutex mutex_;
  std::deque<std::unique_ptr<Pending>> pending_ GUARDED_BY(mutex_);
  std::vector<Request> requests_ GUARDED_BY(mutex_);
};

}  // namespace windlass::http

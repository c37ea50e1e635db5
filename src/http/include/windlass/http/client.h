// Client: sends one HTTP request and hands back the answer. Nothing more: it follows no redirect,
// repeats nothing and knows no login; whoever sends decides about all three.
//
// An Error means that there is no answer. Its code says why: kUnavailable (name not found, refused,
// broken off), kTimedOut, kCancelled, or kInvalid for what no repetition mends: a certificate that
// is not trusted, a server that does not speak HTTP or TLS, an answer over the limit.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <functional>
#include <stop_token>

#include "windlass/base/result.h"
#include "windlass/http/message.h"

namespace windlass::http {

using Callback = std::move_only_function<void(Result<Response>)>;

class Client {
 public:
  virtual ~Client() = default;

  // Returns at once. `done` is called exactly once, never from this call, never under a lock; it
  // must not block. A request to `stop` ends the request with kCancelled.
  virtual void send(Request request, std::stop_token stop, Callback done) = 0;

  // The same, waiting for the answer. Not to be called from a callback.
  Result<Response> send_blocking(Request request, std::stop_token stop = {});
};

}  // namespace windlass::http

// Outcome: what a handler says about a key it has handled without an error, or for good.
//
// An error that may go away is not an Outcome: the handler returns it, and the key is retried.
//
// A value.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "windlass/base/error.h"
#include "windlass/base/time.h"

namespace windlass::reconcile {

struct Outcome {
  enum class Kind {
    kDone,          // nothing more to do until somebody enqueues the key
    kRequeue,       // handle it again after its back-off, which goes on growing
    kRequeueAfter,  // handle it again after `delay`; its back-off starts over
    kTerminal,      // it failed with `error`, and trying again will not help
  };

  Kind kind = Kind::kDone;
  Duration delay = {};
  std::optional<Error> error = std::nullopt;
  std::optional<std::int32_t> priority = std::nullopt;  // of the next run; nullopt keeps this one's

  static Outcome done() { return {}; }
  static Outcome requeue() { return {.kind = Kind::kRequeue}; }
  static Outcome requeue_after(Duration delay) {
    return {.kind = Kind::kRequeueAfter, .delay = delay};
  }
  static Outcome terminal(Error error) {
    return {.kind = Kind::kTerminal, .error = std::move(error)};
  }
};

}  // namespace windlass::reconcile

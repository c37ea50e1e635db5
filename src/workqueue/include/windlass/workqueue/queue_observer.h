// QueueObserver: told of what a queue does, as it happens.
//
// For what QueueStats cannot give, such as another histogram. A queue counts for itself in any
// case, so nobody needs one of these to have metrics. The calls are noexcept, for they come in the
// middle of a step, and one of them out of Item's destructor.
//
// Thread safety: called from every thread that uses the queue, at once, never under its lock.
// Calls for one key may thus arrive a little later than what they report. They may call the queue,
// but not its destructor, which waits until no observer is being called.
#pragma once

#include <cstddef>

#include "windlass/base/time.h"

namespace windlass::workqueue {

class QueueObserver {
 public:
  virtual ~QueueObserver() = default;

  // So many keys became ready or were marked to run again. Merged adds are not reported.
  virtual void on_add(std::size_t keys) noexcept { static_cast<void>(keys); }

  // A delayed or rate-limited add was taken in.
  virtual void on_retry() noexcept {}

  // A key was taken that had waited for so long.
  virtual void on_get(Duration waited) noexcept { static_cast<void>(waited); }

  // A run that took so long has ended.
  virtual void on_done(Duration worked) noexcept { static_cast<void>(worked); }
};

}  // namespace windlass::workqueue

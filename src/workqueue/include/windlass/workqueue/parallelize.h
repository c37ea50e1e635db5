// parallelize_until: runs a function for each of a number of pieces, on several threads.
//
// Thread safety: may be called from any thread; blocks until every worker has left.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

#include "windlass/base/result.h"

namespace windlass::workqueue {

struct ParallelizeOptions {
  std::size_t chunk_size = 1;  // pieces a worker takes at once; 0 means 1
};

// Calls `piece(i)` once for each i below `pieces`, at most `workers` at a time, fewer where the
// system has no more threads; a stop request keeps pieces that have not begun from beginning.
// kInvalid when workers < 1; kCancelled when pieces were left out. An exception of `piece` stops
// the rest and is thrown again here.
Result<void> parallelize_until(const std::stop_token& stop, int workers, std::size_t pieces,
                               const std::function<void(std::size_t)>& piece,
                               ParallelizeOptions options = {});

}  // namespace windlass::workqueue

#include "windlass/workqueue/parallelize.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "windlass/base/format.h"
#include "windlass/base/mutex.h"

namespace windlass::workqueue {
namespace {

struct Work {
  const std::stop_token& stop;
  const std::function<void(std::size_t)>& piece;
  const std::size_t pieces;
  const std::size_t chunk;

  std::atomic<std::size_t> next_chunk = 0;
  std::atomic<std::size_t> begun = 0;
  std::atomic<bool> failed = false;

  Mutex mutex = {};
  std::exception_ptr failure GUARDED_BY(mutex) = nullptr;

  void run() {
    const std::size_t chunks = (pieces - 1) / chunk + 1;
    for (std::size_t c = next_chunk++; c < chunks; c = next_chunk++) {
      const std::size_t first = c * chunk;
      const std::size_t end = first + std::min(chunk, pieces - first);
      for (std::size_t i = first; i < end; ++i) {
        if (stop.stop_requested() || failed) return;
        ++begun;
        run_one(i);
      }
    }
  }

  void run_one(std::size_t i) {
    try {
      piece(i);
    } catch (...) {
      MutexLock lock(mutex);
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }
};

// As many as the system lets have; the caller works in any case.
void start_helpers(std::vector<std::jthread>& helpers, std::size_t wanted, Work& work) {
  try {
    while (helpers.size() < wanted) helpers.emplace_back([&work] { work.run(); });
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace

Result<void> parallelize_until(const std::stop_token& stop, int workers, std::size_t pieces,
                               const std::function<void(std::size_t)>& piece,
                               ParallelizeOptions options) {
  if (workers < 1) {
    return fail(ErrorCode::kInvalid,
                format("parallelize: {} workers asked for; at least 1 is needed", workers));
  }
  if (pieces == 0) return {};
  Work work{.stop = stop,
            .piece = piece,
            .pieces = pieces,
            .chunk = std::max<std::size_t>(options.chunk_size, 1)};
  const std::size_t chunks = (pieces - 1) / work.chunk + 1;
  const std::size_t threads = std::min(static_cast<std::size_t>(workers), chunks);
  {
    std::vector<std::jthread> helpers;
    start_helpers(helpers, threads - 1, work);
    work.run();
  }
  MutexLock lock(work.mutex);
  if (work.failure) std::rethrow_exception(work.failure);
  if (work.begun < pieces) {
    return fail(ErrorCode::kCancelled, format("parallelize: stopped with {} of {} pieces begun",
                                              work.begun.load(), pieces));
  }
  return {};
}

}  // namespace windlass::workqueue

// BackgroundResolver: turns image tags into digests in the background, for many owners at a time.
//
// An owner is whatever needs the digests, such as "namespace/revision". resolve() returns at once;
// when the owner's answer is ready, the owner is called back and asks again. Owners that ask for
// the same image with the same credentials share one lookup. It does not decide what to do with a
// failed answer: clear() and resolve() ask anew, with a back-off per owner and image.
//
// Thread safety: all members may be called from any thread, resolve(), clear(), forget() and
// status() also from the callback. Lifetime: what the constructor is given outlives the resolver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/mutex.h"
#include "windlass/base/result.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/resolver/answer.h"
#include "windlass/resolver/options.h"
#include "windlass/resolver/status.h"
#include "windlass/telemetry/logger.h"
#include "windlass/telemetry/metrics.h"
#include "windlass/telemetry/tracer.h"
#include "windlass/workqueue/work_queue.h"

namespace windlass::resolver {

class DigestJournal;
class ResolverCore;
struct JournalEntry;

// Called once for each epoch of each owner, from one thread, never under a lock. An epoch begins
// with the resolve() that finds nothing to answer from: the owner's first, its first after clear()
// or forget(), or one whose images or options differ; it ends with the next of these calls. A
// resolve() that is refused, of one owner too many or after stop(), begins none: what it returns is
// all there is, and nobody is called back.
using OwnerCallback = std::move_only_function<void(const std::string& owner)>;

class BackgroundResolver {
 public:
  BackgroundResolver(Clock& clock, registry::ImageResolver& images, Options options,
                     OwnerCallback on_ready, telemetry::Logger& logger = telemetry::null_logger(),
                     telemetry::Tracer& tracer = telemetry::null_tracer(),
                     telemetry::Metrics& metrics = telemetry::null_metrics());

  // stop(StopMode::kCancel).
  ~BackgroundResolver();
  BackgroundResolver(const BackgroundResolver&) = delete;
  BackgroundResolver& operator=(const BackgroundResolver&) = delete;

  // nullopt while the answer is pending. It may be ready at once (digests, skipped registries, no
  // images); the owner is called back then too, unless it is refused. Transient failures are
  // retried until the owner's deadline; when an image fails in a way that no retry mends, the
  // answer is ready as soon as every image has been tried once. The answer stays the same until the
  // epoch ends.
  std::optional<Answer> resolve(const std::string& owner, std::span<const std::string> images,
                                const ResolveOptions& options = {}) EXCLUDES(mutex_);

  // Ends the epoch: the next resolve() asks anew. What has failed for this owner is tried again
  // only after its back-off. Lookups that nobody else waits for are cancelled.
  void clear(const std::string& owner) EXCLUDES(mutex_);

  // clear(), and forgets the back-off. After it has returned the owner is not called back: it waits
  // for a callback that is running, unless called from one.
  void forget(const std::string& owner) EXCLUDES(mutex_);

  // Lookups running at a time from now on; those that are running go on.
  void set_in_flight_max(int lookups) EXCLUDES(mutex_);

  // For progress lines and debugging, with details of the oldest `details_max` lookups and
  // as many owners.
  Status status(std::size_t details_max = 100) const EXCLUDES(mutex_);

  enum class StopMode {
    // Waits until every pending owner has its answer and its callback. One whose deadline has not
    // begun gets kCancelled if no lookup may run, since it would wait for ever.
    kDrain,
    kCancel,  // answers every pending owner with kCancelled, calls it back and cancels its lookups
  };

  // Ends it: new epochs fail with kCancelled. After it has returned no thread of it runs and nobody
  // is called back. May be called again, and kCancel during a kDrain. Not from the callback.
  void stop(StopMode mode) EXCLUDES(mutex_);

 private:
  using Queue = workqueue::WorkQueue<std::uint64_t>;

  // Takes lookups from the queue, which has those that may begin, and begins them.
  void pump(const std::stop_token& stop) EXCLUDES(mutex_);
  void start_lookup(Queue::Item item) EXCLUDES(mutex_);
  void end_lookup(Queue::Item item, Result<registry::Resolution> result) EXCLUDES(mutex_);

  // Calls owners back and watches deadlines.
  void dispatch(const std::stop_token& stop) EXCLUDES(mutex_);
  bool dispatcher_has_work() const REQUIRES(mutex_);
  void call_back(const std::string& owner) EXCLUDES(mutex_);

  // To be called after the core was: does what it wants done and wakes who has to do the rest.
  // Returns what is to be done once the lock has been released.
  struct Aftermath;
  Aftermath carry_out() REQUIRES(mutex_);
  void collect(telemetry::MetricWriter& writer) const EXCLUDES(mutex_);

  void open_journal() EXCLUDES(mutex_);
  // Writes what there is to write; by the dispatcher, or when that has ended.
  void write_journal() EXCLUDES(mutex_);

  bool is_settled() const REQUIRES(mutex_);
  void end_threads() EXCLUDES(mutex_);

  Clock& clock_;
  registry::ImageResolver& images_;
  telemetry::Logger& logger_;
  const Options options_;

  OwnerCallback on_ready_;                        // the dispatcher's only
  const std::unique_ptr<DigestJournal> journal_;  // the dispatcher's only; null without one
  Queue queue_;

  mutable Mutex mutex_;
  CondVar dispatcher_wakes_;
  CondVar changed_;  // for those in forget() and stop()
  const std::unique_ptr<ResolverCore> core_ PT_GUARDED_BY(mutex_);
  int in_flight_ GUARDED_BY(mutex_) = 0;
  TimePoint dispatcher_deadline_ GUARDED_BY(mutex_) = TimePoint::max();
  std::optional<std::string> being_called_back_ GUARDED_BY(mutex_);
  std::thread::id dispatcher_id_ GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<const ResolveOptions>> released_ GUARDED_BY(mutex_);
  std::vector<JournalEntry> told_ GUARDED_BY(mutex_);  // to be journalled
  bool ending_ GUARDED_BY(mutex_) = false;
  bool ended_ GUARDED_BY(mutex_) = false;

  telemetry::Metrics::Registration metrics_;
  std::jthread dispatcher_;
  std::jthread pump_;
};

}  // namespace windlass::resolver

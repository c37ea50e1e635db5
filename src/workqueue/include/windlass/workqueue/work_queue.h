// WorkQueue: a queue of keys for controllers.
//
// A key is queued once however often it is added, is never held by two workers at a time, runs
// again if it was added while it ran, can be delayed, and is retried with a back-off. It runs no
// handler itself and starts no thread: a worker that waits in get() waits for the delays too, and
// without one, delayed keys become ready when anybody looks.
//
// Where memory is short, a call that adds, shows or takes many throws std::bad_alloc and leaves the
// queue as it was (add_batch(): with some keys added); ending a run or a delay needs none.
//
// Thread safety: all members may be called from any thread. Nothing is called out under the lock.
// Lifetime: `clock` outlives the queue and its items. Items may outlive the queue.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/workqueue/item.h"
#include "windlass/workqueue/key.h"
#include "windlass/workqueue/options.h"
#include "windlass/workqueue/queue_stats.h"

namespace windlass::workqueue {

template <QueueKey Key>
class WorkQueue {
 public:
  using Options = WorkQueueOptions<Key>;
  using Item = workqueue::Item<Key>;
  using View = KeyView<Key>;

  explicit WorkQueue(Clock& clock, Options options = {});

  // Shuts down and waits for the threads that are inside get() or a drain to leave. Keys still
  // ready are dropped. Open items stay usable.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Makes `key` ready. A ready key stays one key; a running key runs again once it is done. A
  // delay the key has stays: it then runs now and again at its time. False when nothing was
  // taken in: the queue is shutting down, or full.
  bool add(View key, AddOptions options = {});

  // add() for each of `keys`, taking the lock once for many. Returns how many were taken in.
  std::size_t add_batch(std::span<const Key> keys, AddOptions options = {});

  // Makes `key` ready after `delay`; now, when that is <= 0. Never blocks. Counts as a retry in
  // the metrics, as in client-go.
  bool add_after(View key, Duration delay, AddAfterOptions options = {});

  // add_after() with the delay that the limiter says. To be called before the failed run is done,
  // so that the key keeps its priority and attempts. Ignored after remove() in the same run. What
  // is refused is not counted: num_requeues() stays as it was.
  bool add_rate_limited(View key, AddOptions options = {});

  // Waits for the next key and starts its run. Nothing when `stop` is requested, or when the
  // queue is over(): after shut_down() what is ready is still delivered, and so is what runs and
  // is to run again, for which a thread waits that does not hold it.
  std::optional<Item> get(const std::stop_token& stop = {});
  std::optional<Item> get_until(TimePoint deadline, const std::stop_token& stop = {});
  std::optional<Item> try_get();

  // Waits for a first key as get_until() does, then starts the runs of up to `max` that are ready.
  // With a `max` of zero, nothing at once.
  std::vector<Item> get_batch(std::size_t max, TimePoint deadline = TimePoint::max(),
                              const std::stop_token& stop = {});

  // For a consumer that does not wait in get(); see event_fd.h and async_get.h. From now on, and
  // again each time that a look, by try_get() or with a deadline that is over, has found nothing,
  // the first thing worth a look calls `on_wake` once: a ready key, a delay that ends before
  // next_due() said, or that the queue is over(). It is called in the thread that brought that
  // about, here at once where something is there already, without the lock. It may call the queue,
  // but not this function or the destructor, which wait until it has returned. An exception out of
  // it ends the program. The function it replaces is not running any more when this returns.
  void set_on_wake(std::function<void()> on_wake);

  // Ends the retrying of `key` in the limiter; it stays queued or delayed.
  void forget(View key);
  int num_requeues(View key) const;

  // Ends the delay of `key`. False when it had none.
  bool cancel_delayed(View key);

  // Drops `key` from ready and delayed, and forgets it in the limiter. If it runs, it will not run
  // again: neither for an earlier add nor for the retry that this run may ask for. False when
  // nothing was waiting.
  bool remove(View key);

  std::size_t len() const;          // ready
  std::size_t delayed_len() const;  // waiting for their time; these may be ready or running too
  std::size_t running_len() const;  // held by items that are not done
  bool empty() const;               // none of the three

  // When the earliest delay ends; TimePoint::max() when there is none.
  TimePoint next_due() const;

  QueueStats stats() const;

  // What is known of `key`; nothing when it neither waits nor runs.
  std::optional<KeySnapshot<Key>> find(View key) const;

  // At most `max` keys, for debugging: the running, then the ready in the order of delivery, then
  // the delayed.
  std::vector<KeySnapshot<Key>> snapshot(std::size_t max) const;

  // No more adds. What is ready is still delivered; delayed keys are dropped and counted; waiting
  // threads and drains are released. Returns at once; calling it again does nothing.
  void shut_down();

  // shut_down(), then waits until nothing is ready or running. True when that came about, false
  // at the deadline or when somebody calls shut_down(). Any number of threads may wait.
  bool shut_down_and_drain(DrainOptions options = {});

  bool shutting_down() const;

  // Shut down, with nothing left to take: nothing is ready, and nothing that runs is to run again.
  // Only an item that is put back can change that.
  bool over() const;
  const std::string& name() const;

 private:
  detail::SharedQueue<Key>* shared_;  // deletes itself with the last item
};

}  // namespace windlass::workqueue

#include "windlass/workqueue/detail/work_queue_impl.h"

namespace windlass::workqueue {

// Compiled once, in the library.
extern template class Item<std::string>;
extern template class Item<NamespacedName>;
extern template class WorkQueue<std::string>;
extern template class WorkQueue<NamespacedName>;
namespace detail {
extern template class SharedQueue<std::string>;
extern template class SharedQueue<NamespacedName>;
}  // namespace detail

}  // namespace windlass::workqueue

// Item: one run of one key, taken from a WorkQueue.
//
// While an item lives, nobody else gets its key. It may be moved to another thread or kept in a
// callback. It may outlive its queue: what the queue knew of the run lives until the last item is
// done.
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <utility>

#include "windlass/base/check.h"
#include "windlass/base/time.h"
#include "windlass/workqueue/detail/queue_core.h"
#include "windlass/workqueue/key.h"

namespace windlass::workqueue {

namespace detail {
template <QueueKey Key>
class SharedQueue;
}  // namespace detail

// Invariant: `shared_` is null once the run has ended; only an open run has a key.
template <QueueKey Key>
class [[nodiscard]] Item {
  using Entry = typename detail::QueueCore<Key>::Index::Entry;

 public:
  // Only a queue can start a run.
  class Start {
    friend class detail::SharedQueue<Key>;
    Start() = default;
  };
  Item(Start, detail::SharedQueue<Key>& shared, detail::Handle handle, const Entry& entry)
      : shared_(&shared),
        entry_(&entry),
        handle_(handle),
        priority_(entry.state.priority),
        failures_(entry.state.failures),
        added_(entry.state.added),
        started_(entry.state.started) {}
  Item(Item&& other) noexcept { take_from(other); }
  Item& operator=(Item&& other) noexcept {
    if (this != &other) {
      done();
      take_from(other);
    }
    return *this;
  }
  ~Item() { done(); }

  // Ends the run; the key may then be taken again. Calling it again does nothing.
  void done();

  // Ends the run as one that did not happen: the key is ready again with this run's priority or a
  // higher one given meanwhile, behind others of that, also after shut_down(); unless it was
  // removed or its queue is gone. Counts as an add.
  void put_back();
  bool is_done() const { return shared_ == nullptr; }

  // Valid until done(): copy it to keep it.
  KeyView<Key> key() const {
    WINDLASS_CHECK(shared_ != nullptr);
    return KeyTraits<Key>::view(entry_->key);
  }

  // 1 + the failures that the limiter had counted when this run was asked for.
  int attempt() const { return 1 + failures_; }
  std::int32_t priority() const { return priority_; }

  // When the key became ready for this run, and how long it waited from then on. A re-add during
  // a run counts from the re-add. Zero where the queue records no times.
  TimePoint time_added() const { return added_; }
  TimePoint time_started() const { return started_; }
  Duration waited() const { return started_ > added_ ? started_ - added_ : Duration::zero(); }

 private:
  void take_from(Item& other) {
    shared_ = std::exchange(other.shared_, nullptr);
    entry_ = other.entry_;
    handle_ = other.handle_;
    priority_ = other.priority_;
    failures_ = other.failures_;
    added_ = other.added_;
    started_ = other.started_;
  }

  detail::SharedQueue<Key>* shared_ = nullptr;
  const Entry* entry_ = nullptr;
  detail::Handle handle_ = detail::kNoHandle;
  std::int32_t priority_ = 0;
  int failures_ = 0;
  TimePoint added_{};
  TimePoint started_{};
};

}  // namespace windlass::workqueue

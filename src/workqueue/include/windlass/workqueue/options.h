// The options and small values of WorkQueue's calls.
//
// Thread safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "windlass/base/time.h"
#include "windlass/workqueue/queue_observer.h"
#include "windlass/workqueue/rate_limiter.h"

namespace windlass::workqueue {

template <QueueKey Key>
struct WorkQueueOptions {
  // Answers add_rate_limited(). One queue owns it, so two queues cannot share failure counts by
  // accident. Null means default_controller_limiter().
  std::unique_ptr<RateLimiter<Key>> limiter = nullptr;

  // For metrics, logs and spans.
  std::string name = {};

  // Keys held at one time, in whatever state; a new key beyond that is refused. No queue holds more
  // than kKeysMost, whatever is said here.
  static constexpr std::size_t kKeysMost = 0xFFFF'0000;
  std::size_t keys_max = kKeysMost;

  // A ready key that has waited this long is taken ahead of higher priorities, at most every
  // second time, so that no level starves. Zero or less turns this off.
  Duration age_after = std::chrono::seconds(30);

  // Reads the clock at add, get and done, for Item::time_added(), Item::waited(), the durations
  // in stats() and ageing. Without it these are zero and the calls are quicker.
  bool record_times = true;

  // Told of each event, beside the counting that stats() reports. May be null.
  std::shared_ptr<QueueObserver> observer = nullptr;
};

// What add_after() does when the key has a delay already.
enum class DelayMode {
  kEarliest,  // the earlier of the two times stays
  kLatest,    // the later of the two: debounces a key that keeps changing
  kReplace,   // the new time, earlier or later
};

struct AddOptions {
  // Higher is taken first. A key that is waiting keeps the highest it was given since it last ran.
  // Nothing given means 0 or, in add_rate_limited() for a key that was not added again during its
  // run, the priority of the run.
  std::optional<std::int32_t> priority = std::nullopt;
};

struct AddAfterOptions {
  DelayMode mode = DelayMode::kEarliest;
  std::optional<std::int32_t> priority = std::nullopt;  // as in AddOptions
};

// What a queue knows of one key.
template <QueueKey Key>
struct KeySnapshot {
  Key key;
  bool ready = false;
  bool running = false;
  bool rerun = false;                           // running, and to run again
  std::optional<TimePoint> due = std::nullopt;  // when its delay ends
  std::int32_t priority = 0;
  TimePoint added{};    // when it became ready, or was to run again
  TimePoint started{};  // of its last run
};

struct DrainOptions {
  TimePoint deadline = TimePoint::max();
};

}  // namespace windlass::workqueue

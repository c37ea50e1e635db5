// What a QueueCore knows of a key, what an add brings, and what becomes of it.
//
// Thread safety: values; the owner locks.
#pragma once

#include <cstdint>
#include <optional>

#include "windlass/base/time.h"
#include "windlass/workqueue/detail/slot_table.h"

namespace windlass::workqueue::detail {

// What the queue knows of a key.
struct KeyState {
  static constexpr std::uint8_t kReady = 1;
  static constexpr std::uint8_t kRunning = 2;
  static constexpr std::uint8_t kRerun = 4;     // added while running; ready again once finished
  static constexpr std::uint8_t kNoRetry = 8;   // removed while running; its retry is ignored
  static constexpr std::uint8_t kDelayed = 16;  // in the delay heap

  bool is(std::uint8_t flag) const { return (flags & flag) != 0; }
  bool waiting() const { return is(kReady | kRerun | kDelayed); }
  void set(std::uint8_t flag) { flags = static_cast<std::uint8_t>(flags | flag); }
  void clear(std::uint8_t flag) { flags = static_cast<std::uint8_t>(flags & ~flag); }

  std::uint32_t hash = 0;
  Handle next = kNoHandle;  // in the list of its level, or of the running keys
  Handle prev = kNoHandle;
  std::uint32_t arrival = 0;  // in the delay heap, which breaks ties with it
  std::int32_t priority = 0;
  std::uint16_t failures = 0;
  std::uint8_t flags = 0;
  TimePoint added{};    // when it became ready or was to run again
  TimePoint started{};  // when it was taken
};

// How an add arrived.
struct Arrival {
  std::optional<std::int32_t> priority = std::nullopt;
  bool later = false;  // came through add_after() or add_rate_limited()
  bool retry = false;  // of a run that failed
  int failures = 0;    // counted for a retry
};

// What became of an add.
enum class Added {
  kRefused,  // shut down, full, or the retry of a removed key
  kMerged,   // it waits for that already
  kReady,    // a new ready key
  kRerun,    // will be ready when its run ends
  kDelayed,  // waits for its time
};

}  // namespace windlass::workqueue::detail

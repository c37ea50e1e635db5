// ActiveRuns: the keys that are being handled, until when they may be, and how to tell them to
// stop.
//
// Holds no memory of its own: runs are linked where they are. Not thread-safe; told the time.
#pragma once

#include <atomic>
#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/time.h"

namespace windlass::reconcile {

// A run's place among the active ones. It stays where it is from begin() to end().
struct ActiveRun {
  explicit ActiveRun(std::string_view its_key) : key(its_key) {}
  ActiveRun(const ActiveRun&) = delete;
  ActiveRun& operator=(const ActiveRun&) = delete;

  const std::string key;
  TimePoint deadline = TimePoint::max();
  std::stop_source stop{std::nostopstate};  // of this run alone, where it has a deadline
  std::atomic<bool> forgotten = false;      // its result is to be dropped
  ActiveRun* older = nullptr;
  ActiveRun* newer = nullptr;
};

// Invariant: runs are linked in the order they began, which is that of their deadlines, since all
// may take equally long. `next_to_expire_` is the oldest that was not told to stop.
class ActiveRuns {
 public:
  // `deadline` may be for ever. Returns what tells the run to stop: its own source when it has a
  // deadline, otherwise the one that all share.
  std::stop_token begin(ActiveRun& run, TimePoint deadline);
  void end(ActiveRun& run);

  // Looks at every run.
  ActiveRun* find(std::string_view key) const;

  TimePoint next_deadline() const;

  // Those whose time is over, each once; their stop is to be requested outside any lock.
  std::vector<std::stop_source> expire(TimePoint now);

  // The runs there are, and those that begin before start_over(), are to stop.
  std::vector<std::stop_source> stop_all();
  void start_over();

  std::size_t size() const { return size_; }
  std::vector<std::string> keys() const;  // sorted

 private:
  std::stop_source all_;
  bool stopping_ = false;
  std::size_t size_ = 0;
  ActiveRun* oldest_ = nullptr;
  ActiveRun* newest_ = nullptr;
  ActiveRun* next_to_expire_ = nullptr;
};

}  // namespace windlass::reconcile

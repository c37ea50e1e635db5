// QueueModel: what a QueueCore should do, written as plainly as possible. Without ageing.
#pragma once

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "windlass/base/time.h"
#include "windlass/workqueue/options.h"

namespace windlass::workqueue {

class QueueModel {
 public:
  // What the next run will tell. No part of a state: two that differ in nothing else go on alike.
  struct Told {
    TimePoint added{};
    int failures = 0;
    friend bool operator==(const Told&, const Told&) { return true; }
    friend std::strong_ordering operator<=>(const Told&, const Told&) {
      return std::strong_ordering::equal;
    }
  };
  struct Entry {
    bool ready = false, running = false, rerun = false, no_retry = false;
    std::optional<TimePoint> due = std::nullopt;
    int priority = 0;
    Told told = {};

    bool waiting() const { return ready || rerun || due; }
    bool idle() const { return !waiting() && !running; }
    auto operator<=>(const Entry&) const = default;
  };

  void advance(TimePoint now) {
    for (;;) {
      auto first = std::ranges::min_element(delays, {}, &Delay::due);  // the first of equal ones
      if (first == delays.end() || first->due > now) return;
      const auto [due, key] = *first;
      delays.erase(first);
      keys[key].due.reset();
      add_now(key, due);
    }
  }

  bool add(const std::string& key, std::optional<int> priority, TimePoint now) {
    if (!admit(key, priority, false)) return false;
    add_now(key, now);
    return true;
  }

  bool add_at(const std::string& key, TimePoint due, DelayMode mode, std::optional<int> priority,
              bool retry) {
    if (!admit(key, priority, retry)) return false;
    auto& planned = keys[key].due;
    if (planned && mode == DelayMode::kEarliest && *planned <= due) return true;
    if (planned && mode == DelayMode::kLatest && *planned >= due) return true;
    std::erase_if(delays, [&](const Delay& d) { return d.key == key; });
    delays.push_back({due, key});
    planned = due;
    return true;
  }

  std::optional<std::string> take() {
    auto best = ready.begin();
    for (auto it = ready.begin(); it != ready.end(); ++it) {
      if (keys[*it].priority > keys[*best].priority) best = it;
    }
    if (best == ready.end()) return std::nullopt;
    const std::string key = *best;
    ready.erase(best);
    keys[key].ready = false;
    keys[key].running = true;
    return key;
  }

  void finish(const std::string& key) {
    Entry& entry = keys[key];
    entry.running = entry.no_retry = false;
    if (std::exchange(entry.rerun, false)) make_ready(key);
    drop_idle();
  }

  void put_back(const std::string& key, int priority) {
    Entry& entry = keys[key];
    if (!entry.no_retry) {
      entry.priority = entry.waiting() ? std::max(entry.priority, priority) : priority;
      entry.rerun = true;  // since when it was before
    }
    finish(key);
  }

  bool cancel(const std::string& key) {
    if (!keys.contains(key) || !keys[key].due) return false;
    keys[key].due.reset();
    std::erase_if(delays, [&](const Delay& d) { return d.key == key; });
    drop_idle();
    return true;
  }

  bool remove(const std::string& key) {
    if (!keys.contains(key)) return false;
    const bool any = keys[key].waiting();
    cancel(key);
    if (!keys.contains(key)) return true;
    Entry& entry = keys[key];
    std::erase(ready, key);
    entry.ready = entry.rerun = false;
    entry.told.failures = 0;
    entry.no_retry = entry.running;
    drop_idle();
    return any;
  }

  void shut_down() {
    closed = true;
    delays.clear();
    for (auto& [key, entry] : keys) entry.due.reset();
    drop_idle();
  }

  std::size_t running() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(keys, [](const auto& k) { return k.second.running; }));
  }

  std::size_t reruns() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(keys, [](const auto& k) { return k.second.rerun; }));
  }

  struct Delay {
    TimePoint due;
    std::string key;
    auto operator<=>(const Delay&) const = default;
  };
  std::map<std::string, Entry> keys;
  std::vector<std::string> ready;  // in the order of arrival at their level
  std::vector<Delay> delays;       // in the order of arrival
  bool closed = false;

  auto operator<=>(const QueueModel&) const = default;

 private:
  bool admit(const std::string& key, std::optional<int> priority, bool retry) {
    if (closed || (retry && keys.contains(key) && keys[key].no_retry)) return false;
    Entry& entry = keys[key];
    if (!retry) entry.no_retry = false;
    const int before = entry.priority;
    const int wanted = priority.value_or(retry ? before : 0);
    entry.priority = entry.waiting() ? std::max(before, wanted) : wanted;
    if (entry.ready && entry.priority != before) {
      std::erase(ready, key);
      ready.push_back(key);
    }
    return true;
  }

  void add_now(const std::string& key, TimePoint since) {
    Entry& entry = keys[key];
    if (entry.ready || entry.rerun) return;
    entry.told.added = since;
    if (entry.running) {
      entry.rerun = true;
    } else {
      make_ready(key);
    }
  }

  void make_ready(const std::string& key) {
    keys[key].ready = true;
    ready.push_back(key);
  }

  void drop_idle() {
    std::erase_if(keys, [](const auto& k) { return k.second.idle(); });
  }
};

}  // namespace windlass::workqueue

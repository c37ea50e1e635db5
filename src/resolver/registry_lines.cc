#include "registry_lines.h"

#include <algorithm>

namespace windlass::resolver {

RegistryLine* RegistryLines::find(const std::string& host) {
  const auto found = lines_.find(host);
  return found == lines_.end() ? nullptr : &found->second;
}

RegistryLine& RegistryLines::join(const std::string& host) {
  const auto [entry, added] = lines_.try_emplace(host, RegistryLine{.gate = RegistryGate(limits_)});
  RegistryLine& line = entry->second;
  line.host = &entry->first;
  ++line.lookups;
  return line;
}

void RegistryLines::depart(TimePoint now, RegistryLine& line) {
  if (--line.lookups > 0) return;
  // What the registry did lately outlives the lookups that saw it, for as long as it matters.
  const TimePoint forgettable = line.gate.forgettable_at();
  set_wake(line, forgettable > now ? forgettable : TimePoint::max());
  if (forgettable <= now) lines_.erase(*line.host);
}

void RegistryLines::wait(Lookup& lookup) {
  lookup.turn = lookup.line->turn + static_cast<double>(lookup.rank);
  lookup.line->waiting.emplace(lookup.turn, lookup.id);
}

void RegistryLines::stop_waiting(Lookup& lookup) {
  lookup.line->waiting.erase({lookup.turn, lookup.id});
}

void RegistryLines::improve(Lookup& lookup, std::size_t rank) {
  if (rank >= lookup.rank) return;
  lookup.rank = rank;
  const bool waiting = lookup.line->waiting.contains({lookup.turn, lookup.id});
  if (!waiting || lookup.line->turn + static_cast<double>(rank) >= lookup.turn) return;
  stop_waiting(lookup);
  wait(lookup);
}

std::vector<LookupId> RegistryLines::admit(TimePoint now, RegistryLine& line) {
  std::vector<LookupId> admitted;
  while (!line.waiting.empty() && line.gate.admits(now)) {
    const auto first = line.waiting.begin();
    // Moving on a little each time, so that no stream of new owners holds up the earlier ones.
    const double share = 1.0 / static_cast<double>(line.waiting.size());
    line.turn = std::max(line.turn, first->first) + share;
    admitted.push_back(first->second);
    line.waiting.erase(first);
    line.gate.admit(now);
  }
  // Without room it is the end of one under way that lets the next through.
  const bool waits_for_time = !line.waiting.empty() && line.gate.has_room();
  set_wake(line, waits_for_time ? line.gate.opens_at(now) : TimePoint::max());
  return admitted;
}

std::vector<LookupId> RegistryLines::tick(TimePoint now) {
  std::vector<LookupId> admitted;
  while (next_tick() <= now) {
    RegistryLine& line = *wakes_.begin()->second;
    if (line.lookups > 0) {
      const std::vector<LookupId> more = admit(now, line);
      admitted.insert(admitted.end(), more.begin(), more.end());
    } else {
      set_wake(line, TimePoint::max());
      lines_.erase(*line.host);
    }
  }
  return admitted;
}

TimePoint RegistryLines::next_tick() const {
  return wakes_.empty() ? TimePoint::max() : wakes_.begin()->first;
}

std::vector<RegistryStatus> RegistryLines::status(TimePoint now) const {
  std::vector<RegistryStatus> all;
  for (const auto& [host, line] : lines_) {
    RegistryStatus status{.host = host,
                          .lookups = line.lookups,
                          .under_way = line.gate.under_way(),
                          .waiting = line.waiting.size(),
                          .tripped = line.gate.tripped()};
    if (line.gate.shut_until() > now) {
      status.opens_in = line.gate.shut_until() - now;
      status.cause = line.gate.cause()->message;
    }
    all.push_back(std::move(status));
  }
  std::ranges::sort(all, {}, &RegistryStatus::host);
  return all;
}

void RegistryLines::set_wake(RegistryLine& line, TimePoint wake) {
  if (line.wake != TimePoint::max()) wakes_.erase({line.wake, &line});
  line.wake = wake;
  if (wake != TimePoint::max()) wakes_.emplace(wake, &line);
}

}  // namespace windlass::resolver

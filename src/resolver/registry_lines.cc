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
  let_go(line);
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

void RegistryLines::abandon(RegistryLine& line) {
  change(line, [](RegistryGate& gate) { gate.abandon(); });
  in_flight_.abandon();
}

std::vector<LookupId> RegistryLines::end_abandoned(TimePoint now) {
  in_flight_.end_abandoned();
  std::vector<LookupId> admitted;
  admit_held(now, admitted);
  return admitted;
}

std::vector<LookupId> RegistryLines::set_in_flight_max(TimePoint now, int max) {
  in_flight_.set_max(max);
  std::vector<LookupId> admitted;
  admit_held(now, admitted);
  return admitted;
}

std::vector<LookupId> RegistryLines::admit(TimePoint now, RegistryLine& line) {
  std::vector<LookupId> admitted;
  hold(now, line);
  admit_held(now, admitted);
  return admitted;
}

void RegistryLines::hold(TimePoint now, RegistryLine& line) {
  const bool may_go = !line.waiting.empty() && line.gate.admits(now);
  const std::optional<Standing> standing =
      may_go ? std::optional(standing_of(line.gate)) : std::nullopt;
  if (line.held != standing) {
    let_go(line);
    line.held = standing;
    if (standing) {
      std::list<RegistryLine*>& list = held_.at(static_cast<std::size_t>(*standing));
      line.held_place = list.insert(list.end(), &line);
    }
  }
  // Without room it is the end of one under way that lets the next through.
  const bool waits_for_time = !may_go && !line.waiting.empty() && line.gate.has_room();
  set_wake(line, waits_for_time ? line.gate.opens_at(now) : TimePoint::max());
}

void RegistryLines::let_go(RegistryLine& line) {
  if (!line.held) return;
  held_.at(static_cast<std::size_t>(*line.held)).erase(line.held_place);
  line.held = std::nullopt;
}

void RegistryLines::admit_held(TimePoint now, std::vector<LookupId>& admitted) {
  for (std::size_t i = 0; i < kStandings; ++i) {
    std::list<RegistryLine*>& lines = held_.at(i);
    while (!lines.empty() && in_flight_.admits(static_cast<Standing>(i))) {
      RegistryLine& line = *lines.front();
      let_go(line);
      // It may have shut since it was held.
      if (line.gate.admits(now)) admitted.push_back(admit_one(now, line));
      hold(now, line);
    }
  }
}

LookupId RegistryLines::admit_one(TimePoint now, RegistryLine& line) {
  const auto [turn, id] = *line.waiting.begin();
  // Moving on a little each time, so that no stream of new owners holds up the earlier ones.
  line.turn = std::max(line.turn, turn) + 1.0 / static_cast<double>(line.waiting.size());
  line.waiting.erase(line.waiting.begin());
  change(line, [now](RegistryGate& gate) { gate.admit(now); });
  return id;
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

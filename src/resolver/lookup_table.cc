#include "lookup_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "windlass/base/check.h"

namespace windlass::resolver {
namespace {

Slot& slot_of(Waiter waiter) { return waiter.owner->slots[waiter.slot]; }

// Long enough for the most patient waiter, but not beyond the last one's deadline.
Duration try_timeout(const Lookup& lookup, TimePoint now) {
  Duration longest{};
  for (const Waiter& waiter : lookup.waiters) {
    const Duration left = waiter.owner->deadline - now;
    longest = std::max(longest, std::min(waiter.owner->options->lookup_timeout, left));
  }
  return longest;
}

LookupStatus::State state_of(const Lookup& lookup) {
  switch (lookup.state) {
    case Lookup::State::kInLine:
    case Lookup::State::kQueued:
    case Lookup::State::kEnded: return LookupStatus::State::kQueued;
    case Lookup::State::kDelayed: return LookupStatus::State::kDelayed;
    case Lookup::State::kRunning: return LookupStatus::State::kRunning;
  }
  return LookupStatus::State::kQueued;
}

LookupStatus status_of(const Lookup& lookup, TimePoint now) {
  LookupStatus status{.image = std::string(LookupTable::image_of(lookup)),
                      .identity = lookup.options->credentials.identity,
                      .state = state_of(lookup),
                      .tries = lookup.tries,
                      .last_cause = lookup.last_failure ? lookup.last_failure->error->message : "",
                      .waiters = lookup.waiters.size()};
  if (lookup.options->platform) status.platform = lookup.options->platform->to_string();
  if (status.state == LookupStatus::State::kDelayed) {
    status.next_try_in = std::max(lookup.next_try - now, Duration::zero());
  }
  return status;
}

}  // namespace

std::string LookupTable::key_of(const ResolveOptions& options,
                                const image::ImageReference& reference) {
  std::string key = reference.normalised();
  key.push_back('\n');  // no reference holds one, and no platform
  if (options.platform) key.append(options.platform->normalised().to_string());
  if (options.verify) key.push_back('!');
  key.push_back('\n');
  key.append(options.credentials.identity);
  return key;
}

std::string_view LookupTable::image_of(const Lookup& lookup) {
  return std::string_view(lookup.key).substr(0, lookup.key.find('\n'));
}

Lookup* LookupTable::find(std::string_view key) {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : found->second;
}

Lookup& LookupTable::add(TimePoint now, Wanted wanted) {
  auto lookup = std::make_unique<Lookup>(Lookup{.id = ++last_id_,
                                                .key = std::move(wanted.key),
                                                .options = std::move(wanted.options),
                                                .line = &lines_.join(wanted.host),
                                                .rank = wanted.rank,
                                                .failures = wanted.failures,
                                                .next_try = wanted.first_try,
                                                .created = now});
  Lookup& added = *lookup;
  added.span = tracer_.start("resolve image", added.options->span,
                             {{"image", image_of(added)}, {"registry", wanted.host}});
  by_id_.emplace(added.id, std::move(lookup));
  by_key_.emplace(added.key, &added);
  if (wanted.first_try > now) {
    added.state = Lookup::State::kDelayed;
    commands_.enqueue.push_back({added.id, wanted.first_try - now});
  } else {
    stand_in_line(now, added);
  }
  return added;
}

void LookupTable::join(Lookup& lookup, Waiter waiter) {
  Slot& slot = slot_of(waiter);
  slot.lookup = &lookup;
  slot.place = lookup.waiters.size();
  lookup.waiters.push_back(waiter);
  lines_.improve(lookup, waiter.slot);
}

void LookupTable::hasten(TimePoint now, Lookup& lookup, TimePoint when) {
  if (lookup.state != Lookup::State::kDelayed || lookup.next_try <= when) return;
  lookup.next_try = std::max(when, now);
  commands_.enqueue.push_back({lookup.id, lookup.next_try - now});
}

void LookupTable::leave(TimePoint now, Waiter waiter) {
  Slot& slot = slot_of(waiter);
  Lookup& lookup = *std::exchange(slot.lookup, nullptr);
  const Waiter last = lookup.waiters.back();
  lookup.waiters[slot.place] = last;
  slot_of(last).place = slot.place;
  lookup.waiters.pop_back();
  if (lookup.waiters.empty()) erase(now, lookup);
}

std::vector<Waiter> LookupTable::end(TimePoint now, Lookup& lookup) {
  std::vector<Waiter> waiters = std::exchange(lookup.waiters, {});
  for (const Waiter& waiter : waiters) slot_of(waiter).lookup = nullptr;
  erase(now, lookup);
  return waiters;
}

std::vector<Waiter> LookupTable::retry(TimePoint now, Lookup& lookup, TimePoint next_try,
                                       const std::function<bool(const Owner&)>& give_up) {
  std::vector<Waiter> leaving;
  const std::vector<Waiter> waiters = std::exchange(lookup.waiters, {});
  for (const Waiter& waiter : waiters) {
    if (give_up(*waiter.owner)) {
      slot_of(waiter).lookup = nullptr;
      leaving.push_back(waiter);
    } else {
      join(lookup, waiter);
    }
  }
  if (lookup.waiters.empty()) {
    erase(now, lookup);
  } else {
    lookup.state = Lookup::State::kDelayed;
    lookup.next_try = next_try;
    commands_.enqueue.push_back({lookup.id, next_try - now});
  }
  return leaving;
}

std::optional<Try> LookupTable::start(TimePoint now, LookupId id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  Lookup& lookup = *found->second;
  switch (lookup.state) {
    case Lookup::State::kInLine:
    case Lookup::State::kRunning:
    case Lookup::State::kEnded: return std::nullopt;
    case Lookup::State::kDelayed:
      if (lookup.next_try > now) {
        // The queue had an earlier time for it, which has been put off since.
        commands_.enqueue.push_back({id, lookup.next_try - now});
      } else {
        stand_in_line(now, lookup);
      }
      return std::nullopt;
    case Lookup::State::kQueued: break;
  }
  if (lookup.line->gate.shut_until() > now) {
    // The registry has had enough since this one was let through.
    lines_.change(*lookup.line, [now](RegistryGate& gate) { gate.withdraw(now); });
    stand_in_line(now, lookup);
    return std::nullopt;
  }
  ++running_;
  lookup.state = Lookup::State::kRunning;
  lookup.stop = std::stop_source();
  lookup.started = now;
  if (++lookup.tries > 1) ++tallies_.of(*lookup.line->host).retries;
  lookup.span.add_event("try", {{"number", lookup.tries}});
  Result<image::ImageReference> reference = image::ImageReference::parse(image_of(lookup));
  WINDLASS_CHECK(reference.has_value());
  return Try{.reference = std::move(*reference),
             .options = {.timeout = try_timeout(lookup, now),
                         .keychain = lookup.options->credentials.keychain,
                         .platform = lookup.options->platform,
                         .verify = lookup.options->verify},
             .stop = lookup.stop.get_token()};
}

Lookup* LookupTable::finish(TimePoint now, LookupId id, const Error* error) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) {
    let_through(lines_.end_abandoned(now));
    return nullptr;
  }
  Lookup& lookup = *found->second;
  WINDLASS_CHECK(lookup.state == Lookup::State::kRunning);
  --running_;
  lookup.state = Lookup::State::kEnded;
  lookup.stop = std::stop_source(std::nostopstate);
  tallies_.of(*lookup.line->host).end(now - lookup.started, error);
  if (error != nullptr) lookup.span.add_event("failed", {*error});
  lines_.change(*lookup.line, [&](RegistryGate& gate) {
    if (error != nullptr && is_retryable(error->code)) {
      gate.end_failed(now, *error);
    } else {
      gate.end_answered();
    }
  });
  admit(now, *lookup.line);
  return &lookup;
}

std::vector<Waiter> LookupTable::waiting_in_vain(TimePoint now, const std::string& host) {
  std::vector<Waiter> waiters;
  const RegistryLine* line = lines_.find(host);
  if (line == nullptr) return waiters;
  for (const auto& [turn, id] : line->waiting)
    std::ranges::copy(waiting_in_vain(now, id), std::back_inserter(waiters));
  return waiters;
}

std::vector<Waiter> LookupTable::waiting_in_vain(TimePoint now, LookupId id) {
  std::vector<Waiter> waiters;
  const auto found = by_id_.find(id);
  if (found == by_id_.end() || found->second->state != Lookup::State::kInLine) return waiters;
  const TimePoint opens = found->second->line->gate.shut_until();
  std::ranges::copy_if(
      found->second->waiters, std::back_inserter(waiters),
      [&](const Waiter& waiter) { return waiter.owner->deadline_at(now) <= opens; });
  return waiters;
}

void LookupTable::tick(TimePoint now) { let_through(lines_.tick(now)); }

void LookupTable::stand_in_line(TimePoint now, Lookup& lookup) {
  lookup.state = Lookup::State::kInLine;
  lines_.wait(lookup);
  admit(now, *lookup.line);
}

void LookupTable::admit(TimePoint now, RegistryLine& line) { let_through(lines_.admit(now, line)); }

void LookupTable::let_through(const std::vector<LookupId>& admitted) {
  for (const LookupId id : admitted) {
    by_id_.at(id)->state = Lookup::State::kQueued;
    commands_.enqueue.push_back({id, Duration::zero()});
  }
}

void LookupTable::release(SharedOptions options) {
  if (options && options->credentials.keychain) commands_.release.push_back(std::move(options));
}

Commands LookupTable::take_commands() { return std::exchange(commands_, {}); }

std::vector<LookupStatus> LookupTable::details(TimePoint now, std::size_t count) const {
  std::vector<const Lookup*> oldest;
  oldest.reserve(by_id_.size());
  for (const auto& [id, lookup] : by_id_) oldest.push_back(lookup.get());
  count = std::min(count, oldest.size());
  std::ranges::partial_sort(oldest, oldest.begin() + static_cast<std::ptrdiff_t>(count), {},
                            &Lookup::id);
  oldest.resize(count);

  std::vector<LookupStatus> details;
  details.reserve(count);
  for (const Lookup* lookup : oldest) details.push_back(status_of(*lookup, now));
  return details;
}

void LookupTable::erase(TimePoint now, Lookup& lookup) {
  WINDLASS_CHECK(lookup.waiters.empty());
  RegistryLine& line = *lookup.line;
  switch (lookup.state) {
    case Lookup::State::kInLine: lines_.stop_waiting(lookup); break;
    case Lookup::State::kDelayed: commands_.drop.push_back(lookup.id); break;
    case Lookup::State::kQueued:
      commands_.drop.push_back(lookup.id);
      lines_.change(line, [now](RegistryGate& gate) { gate.withdraw(now); });
      break;
    case Lookup::State::kRunning:
      --running_;
      commands_.cancel.push_back(std::move(lookup.stop));
      ++tallies_.of(*line.host).abandoned;
      lines_.abandon(line);
      break;
    case Lookup::State::kEnded: break;
  }
  end_span(lookup);
  release(std::move(lookup.options));
  by_key_.erase(lookup.key);
  by_id_.erase(lookup.id);
  admit(now, line);
  lines_.depart(now, line);
}

void LookupTable::end_span(Lookup& lookup) {
  if (!lookup.span.recording()) return;
  lookup.span.set({"tries", lookup.tries});
  if (lookup.state != Lookup::State::kEnded) lookup.span.set({"abandoned", true});
  if (lookup.last_failure) lookup.span.set_error(*lookup.last_failure->error);
  commands_.ended.push_back(std::move(lookup.span));
}

std::optional<Duration> LookupTable::oldest_age(TimePoint now) const {
  std::optional<Duration> age;
  for (const auto& [id, lookup] : by_id_) age = std::max(age, std::optional(now - lookup->created));
  return age;
}

}  // namespace windlass::resolver

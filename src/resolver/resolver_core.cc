#include "resolver_core.h"

#include <algorithm>
#include <utility>

#include "owner_answer.h"
#include "windlass/base/check.h"

namespace windlass::resolver {
namespace {

bool asks_for(const Owner& owner, std::span<const std::string> images,
              const ResolveOptions& options) {
  return equivalent(*owner.options, options) &&
         std::ranges::equal(owner.slots, images, {}, &Slot::image);
}

std::size_t& count_of(ImageCounts& counts, const Slot& slot) {
  if (!slot.outcome) return counts.pending;
  switch (slot.outcome->verdict) {
    case Verdict::kResolved: return counts.resolved;
    case Verdict::kSkipped: return counts.skipped;
    case Verdict::kFailed: return counts.failed;
  }
  return counts.failed;
}

}  // namespace

ResolverCore::ResolverCore(const Options& options, telemetry::Tracer& tracer)
    : options_(options),
      retry_delay_({.base = options.retry_base, .max = options.retry_max}, options.retry_jitter,
                   Random(options.seed)),
      lookups_(options.registry, InFlight(options.in_flight_max, options.in_flight_beyond),
               tallies_, tracer),
      cache_(options.cache),
      in_flight_max_(options.in_flight_max) {
  WINDLASS_CHECK(options.backoffs_max >= 1);
}

std::optional<Answer> ResolverCore::resolve(TimePoint now, const std::string& name,
                                            std::span<const std::string> images,
                                            const ResolveOptions& options) {
  const auto found = owners_.find(name);
  const bool known = found != owners_.end();
  if (known && found->second.state != Owner::State::kIdle &&
      asks_for(found->second, images, options)) {
    if (found->second.state == Owner::State::kPending) return std::nullopt;
    return answer_of(found->second);
  }
  if (closed_) return same_for_all(images, shut_down_outcome());
  if (!known && owners_.size() >= options_.owners_max) {
    return same_for_all(images, too_many_owners_outcome(options_.owners_max));
  }
  const auto entry = known ? found : owners_.try_emplace(name).first;
  Owner& owner = entry->second;
  owner.name = &entry->first;
  begin_epoch(now, owner, images, options);
  if (owner.state == Owner::State::kPending) return std::nullopt;
  return answer_of(owner);
}

void ResolverCore::clear(TimePoint now, const std::string& name) {
  const auto found = owners_.find(name);
  if (found == owners_.end()) return;
  Owner& owner = found->second;
  end_epoch(now, owner);
  if (owner.penalties.empty()) {
    owners_.erase(found);
  } else {
    set_deadline(owner, saturating_add(now, retry_delay_.max()));
  }
}

void ResolverCore::forget(TimePoint now, const std::string& name) {
  const auto found = owners_.find(name);
  if (found == owners_.end()) return;
  end_epoch(now, found->second);
  owners_.erase(found);
}

std::optional<Try> ResolverCore::start(TimePoint now, LookupId id) {
  std::optional<Try> started = lookups_.start(now, id);
  if (started) {
    ++tries_;
    for (const Waiter& waiter : lookups_.waiters(id)) begin_deadline(now, *waiter.owner);
  } else {
    give_up_in_vain(now, lookups_.waiting_in_vain(now, id));
  }
  return started;
}

void ResolverCore::finish(TimePoint now, LookupId id, Result<registry::Resolution> result) {
  Lookup* lookup = lookups_.finish(now, id, result ? nullptr : &result.error());
  if (lookup == nullptr) return;
  if (result) return succeed(now, *lookup, std::move(*result));
  const std::string host = *lookup->line->host;
  fail_try(now, *lookup, std::move(result.error()));
  give_up_in_vain(now, lookups_.waiting_in_vain(now, host));
}

void ResolverCore::tick(TimePoint now) {
  lookups_.tick(now);
  while (!deadlines_.empty() && deadlines_.begin()->first.first <= now) {
    Owner& owner = *deadlines_.begin()->second;
    if (owner.state == Owner::State::kPending) {
      time_out(now, owner);
    } else {
      unset_deadline(owner);
      owners_.erase(*owner.name);
    }
  }
}

TimePoint ResolverCore::next_tick() const {
  const TimePoint deadline =
      deadlines_.empty() ? TimePoint::max() : deadlines_.begin()->first.first;
  return std::min(deadline, lookups_.next_tick());
}

std::optional<std::string> ResolverCore::take_callback() {
  if (callbacks_.empty()) return std::nullopt;
  Owner& owner = *callbacks_.front();
  callbacks_.pop_front();
  owner.callback_due = false;
  return *owner.name;
}

bool ResolverCore::empty() const {
  return owners_.empty() && lookups_.empty() && deadlines_.empty() && callbacks_.empty() &&
         failed_.empty();
}

SharedOptions ResolverCore::share(const ResolveOptions& options) {
  SharedOptions shared = last_options_.lock();
  if (shared && equivalent(*shared, options) &&
      shared->credentials.keychain == options.credentials.keychain &&
      shared->span == options.span) {
    return shared;
  }
  shared = std::make_shared<const ResolveOptions>(options);
  last_options_ = shared;
  return shared;
}

void ResolverCore::begin_epoch(TimePoint now, Owner& owner, std::span<const std::string> images,
                               const ResolveOptions& options) {
  end_epoch(now, owner);
  owner.state = Owner::State::kPending;
  owner.failed_for_good = false;
  owner.epoch = ++last_epoch_;
  owner.options = share(options);
  owner.slots.reserve(images.size());
  for (const std::string& image : images) owner.slots.push_back(Slot{.image = image});
  owner.unanswered = images.size();
  owner_counts_.pending += 1;
  image_counts_.pending += images.size();
  set_deadline(owner, options.deadline_includes_line ? saturating_add(now, options.deadline)
                                                     : TimePoint::max());

  if (images.empty()) become_ready(owner);
  for (std::size_t i = 0; i < images.size(); ++i) begin_slot(now, owner, i);
  if (owner.failed_for_good) stop_retrying(now, owner);
}

void ResolverCore::end_epoch(TimePoint now, Owner& owner) {
  for (std::size_t i = 0; i < owner.slots.size(); ++i) {
    --count_of(image_counts_, owner.slots[i]);
    if (owner.slots[i].lookup != nullptr) lookups_.leave(now, {&owner, i});
  }
  switch (owner.state) {
    case Owner::State::kIdle: break;
    case Owner::State::kPending: --owner_counts_.pending; break;
    case Owner::State::kResolved: --owner_counts_.resolved; break;
    case Owner::State::kFailed:
      --owner_counts_.failed;
      failed_.erase(owner.failed_place);
      break;
  }
  unset_deadline(owner);
  if (std::exchange(owner.callback_due, false)) callbacks_.erase(owner.callback_place);
  lookups_.release(std::exchange(owner.options, nullptr));
  owner.slots = std::vector<Slot>();  // gives the memory back
  owner.state = Owner::State::kIdle;
}

void ResolverCore::begin_slot(TimePoint now, Owner& owner, std::size_t index) {
  Result<image::ImageReference> reference = image::ImageReference::parse(owner.slots[index].image);
  if (!reference) {
    return answer(owner, index, failed_outcome(std::move(reference.error()), 0),
                  Origin::kMalformed);
  }
  const SkipList& skip = owner.options->skip ? *owner.options->skip : options_.skip;
  const bool skipped = skip.matches(*reference);
  if (reference->is_pinned() && (skipped || !owner.options->verify))
    return answer(owner, index, pinned_outcome(*reference), Origin::kDigest);
  if (skipped) return answer(owner, index, skipped_outcome(), Origin::kSkipped);
  await_lookup(now, owner, index, *reference);
}

void ResolverCore::await_lookup(TimePoint now, Owner& owner, std::size_t index,
                                const image::ImageReference& reference) {
  std::string key = LookupTable::key_of(*owner.options, reference);
  if (Outcome known = cache_.find(now, key))
    return answer(owner, index, std::move(known), Origin::kCache);
  const Penalty* penalty = owner.penalties.find(key);
  const TimePoint first_try = penalty != nullptr ? std::max(now, penalty->not_before) : now;

  Lookup* lookup = lookups_.find(key);
  const bool shared = lookup != nullptr;
  if (!shared) {
    if (first_try >= owner.deadline_at(now) && first_try > now) {
      return answer(owner, index, or_stale(now, key, penalty->cause), Origin::kRefused);
    }
    const RegistryLine* line = lookups_.line_of(reference.registry());
    if (line != nullptr && line->gate.shut_until() > now &&
        line->gate.shut_until() >= owner.deadline_at(now)) {
      Outcome outcome = shut_out_outcome(now, owner.slots[index].image, *line);
      return answer(owner, index, or_stale(now, key, std::move(outcome)), Origin::kRefused);
    }
    lookup = &lookups_.add(now, {.key = std::move(key),
                                 .host = reference.registry(),
                                 .options = owner.options,
                                 .rank = index,
                                 .failures = penalty != nullptr ? penalty->failures : 0,
                                 .first_try = first_try});
  } else if (!lookup->last_failure) {
    // It waits because another owner has failed before, which is nothing to this one.
    lookups_.hasten(now, *lookup, first_try);
  } else if (!lookup->last_failure->error->retry_after) {
    // However long the others have been failing, a new owner's first answer is as soon as theirs
    // was: but all that join in between share one try.
    lookups_.hasten(now, *lookup, std::max(first_try, lookup->failed_at + retry_delay_.base()));
  }
  if (lookup->state == Lookup::State::kDelayed && lookup->last_failure &&
      lookup->next_try >= owner.deadline_at(now)) {
    return answer(owner, index, or_stale(now, lookup->key, lookup->last_failure), Origin::kRefused);
  }
  tallies_.count(shared ? Origin::kShared : Origin::kLookup);
  lookup->span.add_link(owner.options->span);
  lookups_.join(*lookup, {&owner, index});
  if (lookup->state == Lookup::State::kRunning) begin_deadline(now, owner);
}

void ResolverCore::answer(Owner& owner, std::size_t index, Outcome outcome, Origin origin) {
  tallies_.count(origin);
  answer(owner, index, std::move(outcome));
}

void ResolverCore::answer(Owner& owner, std::size_t index, Outcome outcome) {
  Slot& slot = owner.slots[index];
  WINDLASS_CHECK(slot.lookup == nullptr && slot.outcome == nullptr);
  --image_counts_.pending;
  slot.outcome = std::move(outcome);
  ++count_of(image_counts_, slot);
  if (slot.outcome->failed() && !is_retryable(slot.outcome->error->code)) {
    owner.failed_for_good = true;
  }
  if (--owner.unanswered == 0) become_ready(owner);
}

void ResolverCore::succeed(TimePoint now, Lookup& lookup, registry::Resolution resolution) {
  const std::string key = lookup.key;
  if (resolution.rate_limit) tallies_.of(*lookup.line->host).rate_limit = resolution.rate_limit;
  lookup.last_failure = nullptr;
  lookup.span.set({"digest", resolution.digest.to_string()});
  if (!resolution.credential_source.empty())
    lookup.span.set({"credentials", resolution.credential_source});
  lookup.span.set_ok();
  const Outcome outcome = resolved_outcome(std::move(resolution), lookup.tries);
  cache_.put(now, key, outcome);
  if (!options_.journal.file.empty()) lookups_.note(key, outcome);
  for (const Waiter& waiter : lookups_.end(now, lookup)) {
    waiter.owner->penalties.remove(key);
    answer(*waiter.owner, waiter.slot, outcome);
  }
}

void ResolverCore::fail_try(TimePoint now, Lookup& lookup, Error error) {
  ++lookup.failures;
  lookup.failed_at = now;
  lookup.last_failure = failed_outcome(std::move(error), lookup.tries);
  const Outcome failure = lookup.last_failure;
  const Error& cause = *failure->error;
  const Duration pause = std::max(retry_delay_.after(lookup.failures),
                                  pause_asked_for(cause).value_or(Duration::zero()));
  const TimePoint next_try = saturating_add(now, pause);

  const std::string key = lookup.key;
  cache_.put(now, key, failure);
  const Penalty penalty{.failures = lookup.failures, .not_before = next_try, .cause = failure};
  const Outcome outcome = or_stale(now, key, failure);
  const bool for_good = !is_retryable(cause.code);
  // A try that would come after an owner's deadline is not worth its waiting.
  const std::vector<Waiter> leaving =
      for_good ? lookups_.end(now, lookup)
               : lookups_.retry(now, lookup, next_try, [next_try](const Owner& owner) {
                   return owner.failed_for_good || owner.deadline <= next_try;
                 });
  for (const Waiter& waiter : leaving) {
    waiter.owner->penalties.put(key, penalty, options_.backoffs_max);
    answer(*waiter.owner, waiter.slot, outcome);
  }
  if (!for_good) return;
  for (const Waiter& waiter : leaving) stop_retrying(now, *waiter.owner);
}

Outcome ResolverCore::or_stale(TimePoint now, const std::string& key, Outcome failure) {
  if (options_.cache.stale <= Duration::zero() || !is_retryable(failure->error->code)) {
    return failure;
  }
  const Outcome last = cache_.find_stale(now, key);
  return last ? stale_outcome(*last, *failure) : failure;
}

void ResolverCore::stop_retrying(TimePoint now, Owner& owner) {
  for (std::size_t i = 0; i < owner.slots.size(); ++i) {
    const Lookup* lookup = owner.slots[i].lookup;
    if (lookup == nullptr || !lookup->last_failure) continue;
    const Outcome failure = lookup->last_failure;
    Outcome outcome = or_stale(now, lookup->key, failure);
    owner.penalties.put(
        lookup->key,
        {.failures = lookup->failures, .not_before = lookup->next_try, .cause = failure},
        options_.backoffs_max);
    lookups_.leave(now, {&owner, i});
    answer(owner, i, std::move(outcome));
  }
}

void ResolverCore::give_up_in_vain(TimePoint now, const std::vector<Waiter>& waiters) {
  for (const Waiter& waiter : waiters) {
    const Slot& slot = waiter.owner->slots[waiter.slot];
    Outcome outcome =
        or_stale(now, slot.lookup->key, shut_out_outcome(now, slot.image, *slot.lookup->line));
    lookups_.leave(now, waiter);
    answer(*waiter.owner, waiter.slot, std::move(outcome));
  }
}

void ResolverCore::time_out(TimePoint now, Owner& owner) {
  for (std::size_t i = 0; i < owner.slots.size(); ++i) {
    const Lookup* lookup = owner.slots[i].lookup;
    if (lookup == nullptr) continue;
    Outcome outcome =
        or_stale(now, lookup->key,
                 timed_out_outcome(owner.slots[i].image, *lookup, owner.options->deadline));
    lookups_.leave(now, {&owner, i});
    answer(owner, i, std::move(outcome));
  }
}

void ResolverCore::become_ready(Owner& owner) {
  const bool failed =
      std::ranges::any_of(owner.slots, [](const Slot& slot) { return slot.outcome->failed(); });
  owner.state = failed ? Owner::State::kFailed : Owner::State::kResolved;
  if (failed) owner.failed_place = failed_.insert(failed_.begin(), &owner);
  --owner_counts_.pending;
  ++(failed ? owner_counts_.failed : owner_counts_.resolved);
  unset_deadline(owner);
  owner.callback_due = true;
  owner.callback_place = callbacks_.insert(callbacks_.end(), &owner);
}

void ResolverCore::set_deadline(Owner& owner, TimePoint deadline) {
  owner.deadline = deadline;
  deadlines_.emplace(std::pair(deadline, owner.epoch), &owner);
}

void ResolverCore::begin_deadline(TimePoint now, Owner& owner) {
  if (owner.deadline != TimePoint::max()) return;
  unset_deadline(owner);
  set_deadline(owner, owner.deadline_at(now));
}

void ResolverCore::unset_deadline(Owner& owner) { deadlines_.erase({owner.deadline, owner.epoch}); }

}  // namespace windlass::resolver

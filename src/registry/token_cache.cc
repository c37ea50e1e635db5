#include "token_cache.h"

#include <algorithm>

namespace windlass::registry {
namespace {

Error cancelled() { return {.code = ErrorCode::kCancelled, .message = "cancelled"}; }

// A token is given up a little early, so that it does not expire on its way.
Duration usable(Duration lifetime) {
  return lifetime - std::min<Duration>(std::chrono::seconds(10), lifetime / 4);
}

}  // namespace

Task<Result<TokenCache::Granted>> TokenCache::get(std::string key, Exchange exchange,
                                                  std::stop_token stop) {
  std::shared_ptr<Flight> flight;
  bool first = false;
  {
    MutexLock lock(mutex_);
    if (const Entry* entry = tokens_.find(key)) {
      if (clock_.now() < entry->expires) co_return Granted{.token = entry->token, .cached = true};
      tokens_.erase(key);
    }
    std::shared_ptr<Flight>& place = flights_[key];
    first = place == nullptr;
    if (first) place = std::make_shared<Flight>();
    flight = place;
  }
  if (first) fly(running_.ticket(), key, flight, std::move(exchange));
  const Timers::Id id = timers_.next_id();
  const std::stop_callback on_stop(stop, [&] { leave(key, flight, id); });
  Completion<Result<Granted>> answered(
      [&](Answered done) { join(key, flight, id, stop, std::move(done)); });
  co_return co_await answered;
}

Detached TokenCache::fly(Running::Ticket, std::string key, std::shared_ptr<Flight> flight,
                         Exchange exchange) {
  Task<Result<Token>> running = exchange(flight->stop.get_token());
  Result<Token> token = co_await running;
  land(key, flight, std::move(token));
}

void TokenCache::join(const std::string& key, const std::shared_ptr<Flight>& flight, Timers::Id id,
                      const std::stop_token& stop, Answered done) {
  std::optional<Result<Granted>> answer;
  bool nobody_waits = false;
  {
    MutexLock lock(mutex_);
    if (flight->answer) {
      answer = flight->answer;
    } else if (stop.stop_requested()) {
      answer = fail(cancelled());
      nobody_waits = flight->waiters.empty();
      if (nobody_waits) abandon(key, flight);
    } else {
      flight->waiters.emplace(id, std::move(done));
    }
  }
  if (nobody_waits) flight->stop.request_stop();
  // Moved away only where there is no answer yet.
  if (answer) done(*std::move(answer));  // NOLINT(bugprone-use-after-move)
}

void TokenCache::leave(const std::string& key, const std::shared_ptr<Flight>& flight,
                       Timers::Id id) {
  Answered done;
  bool nobody_waits = false;
  {
    MutexLock lock(mutex_);
    auto node = flight->waiters.extract(id);
    if (node.empty()) return;
    done = std::move(node.mapped());
    nobody_waits = flight->waiters.empty();
    if (nobody_waits) abandon(key, flight);
  }
  // Kept by hand: the caller's copy goes when `done` has been called.
  // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const std::shared_ptr<Flight> kept = flight;
  // From the timers' loop, for this runs inside whatever requested the stop.
  timers_.post([done = std::move(done)]() mutable { done(fail(cancelled())); });
  if (nobody_waits) kept->stop.request_stop();
}

void TokenCache::abandon(const std::string& key, const std::shared_ptr<Flight>& flight) {
  const auto found = flights_.find(key);
  if (found != flights_.end() && found->second == flight) flights_.erase(found);
}

void TokenCache::land(const std::string& key, const std::shared_ptr<Flight>& flight,
                      Result<Token> token) {
  std::map<Timers::Id, Answered> waiters;
  Result<Granted> answer = token ? Result<Granted>(Granted{.token = token->value, .cached = false})
                                 : fail(token.error());
  {
    MutexLock lock(mutex_);
    abandon(key, flight);
    if (token && token->lifetime > Duration::zero()) {
      tokens_[key] = Entry{.token = token->value,
                           .expires = saturating_add(clock_.now(), usable(token->lifetime))};
    }
    flight->answer = answer;
    waiters.swap(flight->waiters);
  }
  for (auto& [id, done] : waiters) done(answer);
}

void TokenCache::drop(const std::string& key, const credentials::Secret& refused) {
  MutexLock lock(mutex_);
  const Entry* entry = tokens_.find(key);
  if (entry != nullptr && entry->token == refused) tokens_.erase(key);
}

}  // namespace windlass::registry

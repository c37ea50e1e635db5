// TokenCache: tokens until they expire, and one exchange at a time for each.
//
// Whoever wants a token that is being fetched waits for that exchange. Waiting can be stopped; when
// nobody waits any more the exchange is stopped too.
//
// Thread safety: all members may be called from any thread. Lifetime: outlives every coroutine of
// its get() and every exchange.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "lru_map.h"
#include "running.h"
#include "task.h"
#include "timers.h"
#include "token.h"
#include "windlass/base/clock.h"

namespace windlass::registry {

class TokenCache {
 public:
  // A token, and whether it was there already. One that was may have been revoked since.
  struct Granted {
    credentials::Secret token;
    bool cached = false;
  };
  using Exchange = std::move_only_function<Task<Result<Token>>(std::stop_token)>;

  // Exchanges hold a ticket of `running` from their start to their end.
  TokenCache(const Clock& clock, Timers& timers, Running& running, std::size_t tokens_max)
      : clock_(clock), timers_(timers), running_(running), tokens_(tokens_max) {}

  // `exchange` is called only when nobody else's is under way.
  Task<Result<Granted>> get(std::string key, Exchange exchange, std::stop_token stop);

  // Forgets the token of `key` if it is still `refused`.
  void drop(const std::string& key, const credentials::Secret& refused) EXCLUDES(mutex_);

 private:
  using Answered = Completion<Result<Granted>>::Callback;

  // One exchange under way and who waits for it. All but `stop` is guarded by mutex_.
  struct Flight {
    std::stop_source stop;
    std::map<Timers::Id, Answered> waiters;
    std::optional<Result<Granted>> answer;
  };
  struct Entry {
    credentials::Secret token;
    TimePoint expires;
  };

  Detached fly(Running::Ticket ticket, std::string key, std::shared_ptr<Flight> flight,
               Exchange exchange) EXCLUDES(mutex_);
  void join(const std::string& key, const std::shared_ptr<Flight>& flight, Timers::Id id,
            const std::stop_token& stop, Answered done) EXCLUDES(mutex_);
  void leave(const std::string& key, const std::shared_ptr<Flight>& flight, Timers::Id id)
      EXCLUDES(mutex_);
  void abandon(const std::string& key, const std::shared_ptr<Flight>& flight) REQUIRES(mutex_);
  void land(const std::string& key, const std::shared_ptr<Flight>& flight, Result<Token> token)
      EXCLUDES(mutex_);

  const Clock& clock_;

  Timers& timers_;
  Running& running_;

  Mutex mutex_;
  LruMap<std::string, Entry> tokens_ GUARDED_BY(mutex_);
  std::map<std::string, std::shared_ptr<Flight>> flights_ GUARDED_BY(mutex_);
};

}  // namespace windlass::registry

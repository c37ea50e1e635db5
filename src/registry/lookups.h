// Lookups: the lookups under way, each with its deadline. Passive but for the network: what waits
// for time waits in context().timers.
//
// Thread safety: all members may be called from any thread. The destructor must find none running.
#pragma once

#include "context.h"
#include "lookup.h"

namespace windlass::registry {

class Lookups {
 public:
  Lookups(Clock& clock, http::Client& client, std::shared_ptr<credentials::Keychain> keychain,
          telemetry::Logger& logger, RegistryOptions options, Random random);
  ~Lookups();
  Lookups(const Lookups&) = delete;
  Lookups& operator=(const Lookups&) = delete;

  void start(const image::ImageReference& reference, const LookupOptions& options,
             const std::stop_token& stop, LookupCallback done);

  Timers& timers() { return context_.timers; }

  // Cancels all that run, and all that would be started later.
  void stop_all() { stop_all_.request_stop(); }

  // Waits until none runs. Somebody else has to fire the timers meanwhile.
  void await_none() { context_.running.await_none(context_.clock); }

  std::size_t running() const { return context_.running.count(); }

 private:
  class Ending;

  static Detached drive(Running::Ticket ticket, std::unique_ptr<Ending> ending,
                        std::unique_ptr<Lookup> lookup, LookupCallback done);

  Context context_;
  std::stop_source stop_all_;
};

}  // namespace windlass::registry

// Context: what all lookups of a RegistryClient share.
#pragma once

#include "host_table.h"
#include "running.h"
#include "timers.h"
#include "token_cache.h"
#include "windlass/registry/registry_client.h"

namespace windlass::registry {

struct Context {
  Context(Clock& clock_in, http::Client& client_in,
          std::shared_ptr<credentials::Keychain> keychain_in, telemetry::Logger& logger_in,
          RegistryOptions options_in, Random random_in)
      : clock(clock_in),
        client(client_in),
        keychain(std::move(keychain_in)),
        logger(logger_in),
        options(std::move(options_in)),
        hosts(options.hosts_max),
        tokens(clock, timers, running, options.tokens_max),
        random(random_in) {}

  Clock& clock;
  http::Client& client;
  const std::shared_ptr<credentials::Keychain> keychain;
  telemetry::Logger& logger;
  const RegistryOptions options;

  Running running;
  Timers timers;
  HostTable hosts;
  TokenCache tokens;

  Mutex random_mutex;
  Random random GUARDED_BY(random_mutex);
};

}  // namespace windlass::registry

// RegistryClient: the ImageResolver that asks registries, by the OCI distribution protocol.
//
// A tag is asked with HEAD; where HEAD does not tell, with GET, hashing what comes. The first
// request to a host goes without a login, its own challenge decides about the rest. Logins are
// asked of the keychain only then, tried in order, and sent to nobody but the registry and its
// token service.
//
// Thread safety: all members may be called from any thread. Lifetime: `clock`, `client` and
// `logger` outlive it. The destructor ends what is under way with kCancelled and waits for those
// callbacks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/base/random.h"
#include "windlass/credentials/keychain.h"
#include "windlass/http/client.h"
#include "windlass/registries_conf/registries.h"
#include "windlass/registry/image_resolver.h"
#include "windlass/telemetry/logger.h"

namespace windlass::registry {

// An attempt that failed, and is made again after a pause.
struct FailedAttempt {
  const image::ImageReference& reference;
  const Error& error;
  int attempts = 0;  // of this lookup so far
  Duration pause{};
};

struct RegistryOptions {
  // Mirrors, other locations, what is blocked or insecure. Mirrors are asked first and the registry
  // itself when none of them answers; the result is named as the image was written all the same.
  registries_conf::Registries registries = {};

  // Short names (without a registry) mean what `registries` says, as podman has it. Otherwise they
  // are Docker Hub's, as Docker and Kubernetes have it.
  bool short_names = false;

  Duration mirror_timeout = std::chrono::seconds(5);  // of one mirror in one attempt
  Duration mirror_rest = std::chrono::seconds(30);    // one out of reach is passed over so long

  // Registries asked without TLS, "host" (any port) or "host:port". Loopback is asked so anyway,
  // nobody else ever is.
  std::vector<std::string> plain_http;

  // Loopback registries that are asked with TLS all the same, written alike.
  std::vector<std::string> tls;

  // Token services, "host" or "host:port", that logins may be sent to though they do not belong to
  // the registry's site, or are in our own network though the registry is not.
  std::vector<std::string> trusted_realms;

  // When all logins are refused, ask once more without: a stale login then does not hide a public
  // image. It is logged.
  bool anonymous_after_refusal = false;

  // For those who show what is going on. Called from the client's thread; it must not block.
  std::function<void(const FailedAttempt&)> on_failed_attempt = {};

  int attempts_max = 6;                                    // of one lookup, the first included
  Duration backoff_base = std::chrono::milliseconds(250);  // bound of the first pause; then doubled
  Duration backoff_max = std::chrono::seconds(10);
  Duration request_timeout = std::chrono::seconds(10);  // of one request in a lookup
  std::size_t manifest_bytes_max = std::size_t{4} << 20U;
  std::size_t hosts_max = 1'000;    // remembered between lookups
  std::size_t tokens_max = 20'000;  // remembered until they expire
};

class RegistryClient final : public ImageResolver {
 public:
  // `random` decides about the pauses between attempts.
  RegistryClient(Clock& clock, http::Client& client,
                 std::shared_ptr<credentials::Keychain> keychain, telemetry::Logger& logger,
                 RegistryOptions options = {}, Random random = Random(random_seed()));
  ~RegistryClient() override;
  RegistryClient(const RegistryClient&) = delete;
  RegistryClient& operator=(const RegistryClient&) = delete;

  void resolve(const image::ImageReference& reference, const LookupOptions& options,
               std::stop_token stop, LookupCallback done) override;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace windlass::registry

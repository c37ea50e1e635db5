#include "windlass/registry/registry_client.h"

#include <thread>

#include "lookups.h"

namespace windlass::registry {

class RegistryClient::Impl {
 public:
  Impl(Clock& clock, http::Client& client, std::shared_ptr<credentials::Keychain> keychain,
       telemetry::Logger& logger, RegistryOptions options, Random random)
      : lookups(clock, client, std::move(keychain), logger, std::move(options), random),
        timer_thread_(
            [this, &clock](const std::stop_token& stop) { lookups.timers().run(clock, stop); }) {}

  ~Impl() {
    lookups.stop_all();
    lookups.await_none();
  }

  Lookups lookups;

 private:
  std::jthread timer_thread_;
};

RegistryClient::RegistryClient(Clock& clock, http::Client& client,
                               std::shared_ptr<credentials::Keychain> keychain,
                               telemetry::Logger& logger, RegistryOptions options, Random random)
    : impl_(std::make_unique<Impl>(clock, client, std::move(keychain), logger, std::move(options),
                                   random)) {}

RegistryClient::~RegistryClient() = default;

void RegistryClient::resolve(const image::ImageReference& reference, const LookupOptions& options,
                             std::stop_token stop, LookupCallback done) {
  if (reference.digest() && !options.verify) {
    return done(Resolution{.reference = reference,
                           .digest = *reference.digest(),
                           .media_type = {},
                           .size = std::nullopt,
                           .credential_source = {},
                           .asked = false});
  }
  impl_->lookups.start(reference, options, stop, std::move(done));
}

}  // namespace windlass::registry

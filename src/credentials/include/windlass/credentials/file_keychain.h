// FileKeychain: the logins of one config file, as it was when the keychain was made, and of the
// credential helpers that it names.
//
// A host that has a helper is asked of the helper alone, as Docker does it.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <memory>

#include "windlass/credentials/credential_helpers.h"
#include "windlass/credentials/docker_config.h"
#include "windlass/credentials/keychain.h"

namespace windlass::credentials {

class FileKeychain final : public Keychain {
 public:
  // Without `helpers` no program is run, and a host that has one has a problem instead of a login.
  explicit FileKeychain(DockerConfig config, std::shared_ptr<CredentialHelpers> helpers = nullptr)
      : config_(std::move(config)), helpers_(std::move(helpers)) {}

  void find(const image::ImageReference& reference, std::stop_token stop, Callback done) override;
  void refresh(const image::ImageReference& reference) override;

 private:
  const DockerConfig config_;
  const std::shared_ptr<CredentialHelpers> helpers_;
};

}  // namespace windlass::credentials

// FileKeychain: the logins of one config file, read when the keychain is made.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include "windlass/credentials/docker_config.h"
#include "windlass/credentials/keychain.h"

namespace windlass::credentials {

class FileKeychain final : public Keychain {
 public:
  explicit FileKeychain(DockerConfig config) : config_(std::move(config)) {}

  void find(const image::ImageReference& reference, std::stop_token stop, Callback done) override;

 private:
  const DockerConfig config_;
};

}  // namespace windlass::credentials

// Stack: everything between a reference and a registry, as the program wires it: the network, a
// Docker config, the registry client.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "windlass/credentials/file_keychain.h"
#include "windlass/http/curl_client.h"
#include "windlass/registries_conf/load.h"
#include "windlass/registry/registry_client.h"
#include "windlass/telemetry/testing/recording_logger.h"

namespace windlass::integration {

// Pauses short enough for a test that waits for real.
inline registry::RegistryOptions quick() {
  return {.backoff_base = std::chrono::milliseconds(10),
          .backoff_max = std::chrono::milliseconds(100)};
}

struct Wiring {
  std::string docker_config = "{}";
  registry::RegistryOptions registry = quick();
  http::CurlClient::Options http = {};
};

class Stack {
 public:
  explicit Stack(Wiring wiring = {});

  Result<registry::Resolution> resolve(const std::string& image,
                                       Duration timeout = std::chrono::seconds(60));

  Result<registry::Resolution> resolve(const std::string& image,
                                       const registry::LookupOptions& options);

  registry::ImageResolver& resolver() { return client_; }
  const telemetry::RecordingLogger& logger() const { return logger_; }

 private:
  telemetry::RecordingLogger logger_;
  std::unique_ptr<http::CurlClient> http_;
  registry::RegistryClient client_;
};

// {"auths":{HOST:{"auth":base64(LOGIN)}}}
std::string login_file(const std::string& host, const std::string& login);

// {"auths":...} with several of them.
std::string login_files(const std::vector<std::pair<std::string, std::string>>& logins);

// What a registries.conf with this text says.
registries_conf::Registries registries_of(const std::string& conf);

// "D" for the right digest, else the error's code and message; for comparisons that explain
// themselves.
std::string shown(const Result<registry::Resolution>& result, const std::string& right_digest);

}  // namespace windlass::integration

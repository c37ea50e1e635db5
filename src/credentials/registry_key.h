// The keys under which config files keep logins: "registry.test:5000", "https://registry.test/v1/",
// "quay.io/team". Docker Hub has several names; all mean "docker.io".
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace windlass::credentials {

struct RegistryKey {
  std::string host;         // lower case, with the port if one is written
  std::string path;         // "team/sub": only what lies below it is meant; "" for the whole host
  bool legacy_hub = false;  // Docker Hub's own key, https://index.docker.io/v1/
};

// Whether a repository is `path`, or below it; all are below "".
bool is_below(std::string_view repository, std::string_view path);

// Never fails: a key that makes no sense covers nothing.
RegistryKey parse_registry_key(std::string_view key);

// "docker.io" and what else means it.
std::span<const std::string_view> docker_hub_names();

// What a credential helper is asked for: the host, or Docker Hub's legacy key.
std::string helper_key(std::string_view registry);

}  // namespace windlass::credentials

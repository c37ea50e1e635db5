#include "registry_key.h"

#include <algorithm>
#include <array>

#include "windlass/base/text.h"

namespace windlass::credentials {
namespace {

constexpr std::array<std::string_view, 4> kHubNames = {"docker.io", "index.docker.io",
                                                       "registry-1.docker.io", "www.docker.io"};

std::string_view without_scheme(std::string_view key) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (equals_ignoring_case(key.substr(0, scheme.size()), scheme))
      return key.substr(scheme.size());
  }
  return key;
}

std::string_view without_slashes(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

// "v1" and "v2" in front are the protocol's, not a name's.
std::string_view without_version(std::string_view path) {
  for (const std::string_view version : {"v1", "v2"}) {
    if (path == version) return {};
    if (path.starts_with(version) && path[version.size()] == '/')
      return without_slashes(path.substr(version.size()));
  }
  return path;
}

}  // namespace

std::span<const std::string_view> docker_hub_names() { return kHubNames; }

bool is_below(std::string_view repository, std::string_view path) {
  if (path.empty() || repository == path) return true;
  return repository.size() > path.size() && repository.starts_with(path) &&
         repository[path.size()] == '/';
}

RegistryKey parse_registry_key(std::string_view key) {
  key = without_scheme(trim(key));
  const std::size_t slash = std::min(key.find('/'), key.size());
  RegistryKey parsed{.host = to_lower(key.substr(0, slash)),
                     .path = std::string(without_version(without_slashes(key.substr(slash)))),
                     .legacy_hub = false};
  if (std::ranges::find(kHubNames, parsed.host) != kHubNames.end()) {
    parsed.legacy_hub = parsed.host == "index.docker.io";
    parsed.host = "docker.io";
  }
  return parsed;
}

std::string helper_key(std::string_view registry) {
  return registry == "docker.io" ? "https://index.docker.io/v1/" : std::string(registry);
}

}  // namespace windlass::credentials

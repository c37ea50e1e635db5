#include "network_settings.h"

#include <algorithm>
#include <filesystem>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/http/certificate_folders.h"
#include "windlass/registries_conf/load.h"

namespace windlass::app {
namespace {

namespace fs = std::filesystem;

std::string config_home(const Environment& environment) {
  if (auto folder = environment("XDG_CONFIG_HOME")) return *folder;
  const auto home = environment("HOME");
  return home ? *home + "/.config" : std::string();
}

std::vector<std::string> certificate_roots(const CommonOptions& options,
                                           const Environment& environment) {
  if (!options.certs_dirs.empty()) return options.certs_dirs;
  std::vector<std::string> roots;
  const std::string home = config_home(environment);
  if (!home.empty()) roots.push_back(home + "/containers/certs.d");
  roots.emplace_back("/etc/containers/certs.d");
  roots.emplace_back("/etc/docker/certs.d");
  return roots;
}

}  // namespace

http::ProxySettings proxies_of(const Environment& environment) {
  const auto first_of = [&](std::initializer_list<const char*> names) -> std::string {
    for (const char* name : names) {
      if (auto value = environment(name)) return *value;
    }
    return {};
  };
  return {.for_http = first_of({"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}),
          .for_https = first_of({"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}),
          .except = first_of({"no_proxy", "NO_PROXY"})};
}

http::CurlClient::Options client_options(const CommonOptions& options,
                                         const Environment& environment) {
  http::CurlClient::Options client;
  client.tls.ca_files = {options.ca_files.begin(), options.ca_files.end()};
  client.tls_of_host = [folders =
                            http::CertificateFolders(certificate_roots(options, environment))](
                           const std::string& authority) { return folders.of_host(authority); };
  client.proxies = proxies_of(environment);
  return client;
}

Result<registry::RegistryOptions> registry_options(const CommonOptions& options,
                                                   const Environment& environment,
                                                   telemetry::Logger& logger) {
  registry::RegistryOptions registry{.plain_http = options.plain_http,
                                     .tls = options.tls,
                                     .trusted_realms = options.trusted_realms};
  if (options.retries >= 0) registry.attempts_max = options.retries + 1;
  const std::string named = !options.registries_conf.empty()
                                ? options.registries_conf
                                : environment("CONTAINERS_REGISTRIES_CONF").value_or("");
  std::error_code unused;
  if (!named.empty() && !fs::is_regular_file(named, unused)) {
    return fail(ErrorCode::kInvalid,
                format("--registries-conf {}: no such file; check the name", printable(named)));
  }
  auto paths = registries_conf::usual_paths(config_home(environment), named);
  if (!options.registries_conf.empty()) paths.folders.clear();  // this file and no other
  registries_conf::Loaded loaded = registries_conf::load(paths);
  for (const Error& problem : loaded.problems) logger.warn(problem.message);
  registry.registries = std::move(loaded.registries);
  registry.short_names = options.podman_names;
  return registry;
}

}  // namespace windlass::app

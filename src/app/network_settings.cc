#include "network_settings.h"

#include <algorithm>
#include <filesystem>

#include "input_files.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/http/certificate_folders.h"

namespace windlass::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRegistriesConfBytesMax = std::size_t{1} << 20U;
constexpr std::string_view kRegistriesConf = "--registries-conf";

std::string config_home(const Environment& environment) {
  if (auto folder = environment("XDG_CONFIG_HOME")) return *folder;
  const auto home = environment("HOME");
  return home ? *home + "/.config" : std::string();
}

std::vector<std::string> certificate_roots(const Environment& environment) {
  std::vector<std::string> roots;
  const std::string home = config_home(environment);
  if (!home.empty()) roots.push_back(home + "/containers/certs.d");
  roots.emplace_back("/etc/containers/certs.d");
  roots.emplace_back("/etc/docker/certs.d");
  return roots;
}

Result<void> check_certificate_folder(const std::string& folder) {
  std::error_code unused;
  if (!fs::is_directory(folder, unused)) {
    return fail(ErrorCode::kInvalid,
                format("--cert-dir {}: no such directory; check the name", printable(folder)));
  }
  const auto settings = http::read_certificate_folder(folder);
  if (!settings) return fail(settings.error(), "--cert-dir");
  if (const auto usable = http::check(*settings); !usable) {
    return fail(usable.error(), "--cert-dir");
  }
  return {};
}

Result<void> check_ca_file(const std::string& file) {
  if (auto usable = check_option_file("--ca-file", file); !usable) return usable;
  if (is_pipe(file)) return {};  // which can be read once
  const auto usable = http::check({.ca_files = {file}, .system_roots = false});
  if (!usable) return fail(usable.error(), "--ca-file");
  return {};
}

}  // namespace

std::vector<Error> check_network_files(const CommonOptions& options) {
  std::vector<Error> errors;
  const auto keep = [&](Result<void> usable) {
    if (!usable) errors.push_back(std::move(usable.error()));
  };
  if (!options.registries_conf.empty())
    keep(check_option_file(kRegistriesConf, options.registries_conf));
  if (!options.cert_dir.empty()) keep(check_certificate_folder(options.cert_dir));
  for (const std::string& file : options.ca_files) keep(check_ca_file(file));
  return errors;
}

Result<http::CurlClient::Options> client_options(const CommonOptions& options,
                                                 const Environment& environment) {
  http::CurlClient::Options client;
  if (options.cert_dir.empty()) {
    client.tls_of_host = [folders = http::CertificateFolders(certificate_roots(environment))](
                             const std::string& authority) { return folders.of_host(authority); };
  } else {
    auto tls = http::read_certificate_folder(options.cert_dir);
    if (!tls) return fail(std::move(tls.error()), "--cert-dir");
    client.tls = std::move(*tls);
  }
  for (const std::string& file : options.ca_files) client.tls.ca_files.emplace_back(file);
  client.proxies = http::ProxySettings::from_variables(
      [&](const std::string& name) { return environment(name).value_or(""); });
  return client;
}

Result<RegistrySettings> registry_settings(const CommonOptions& options,
                                           const Environment& environment,
                                           telemetry::Logger& logger) {
  registry::RegistryOptions registry{.plain_http = options.plain_http,
                                     .tls = options.tls,
                                     .trusted_realms = options.trusted_realms};
  const std::string variable = environment("CONTAINERS_REGISTRIES_CONF").value_or("");
  const std::string& named = options.registries_conf.empty() ? variable : options.registries_conf;
  const std::string_view named_by =
      options.registries_conf.empty() ? "$CONTAINERS_REGISTRIES_CONF" : kRegistriesConf;
  if (options.registries_conf.empty() && !named.empty()) {
    if (auto usable = check_option_file(named_by, named); !usable)
      return fail(std::move(usable.error()));
  }
  auto paths = registries_conf::usual_paths(config_home(environment), named);
  if (!options.registries_conf.empty()) paths.folders.clear();  // this file and no other
  registries_conf::Loaded loaded;
  if (is_pipe(named)) {  // which is waited for, as somebody named it
    const auto text = read_option_file(named_by, named, kRegistriesConfBytesMax);
    if (!text) return fail(text.error());
    registries_conf::read(*text, named, loaded);
    paths.file.clear();
  }
  registries_conf::load(paths, loaded);
  for (const Error& problem : loaded.problems) logger.warn(problem.message);
  registry.registries = std::move(loaded.registries);
  registry.short_names = options.podman_names;
  return RegistrySettings{.options = std::move(registry),
                          .credential_helpers = std::move(loaded.credential_helpers)};
}

}  // namespace windlass::app

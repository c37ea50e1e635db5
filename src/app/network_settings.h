// From options and the environment to the settings of the network: proxies, certificates, mirrors.
#pragma once

#include <vector>

#include "common_options.h"
#include "windlass/app/streams.h"
#include "windlass/base/result.h"
#include "windlass/http/curl_client.h"
#include "windlass/registries_conf/load.h"
#include "windlass/registry/registry_client.h"
#include "windlass/telemetry/logger.h"

namespace windlass::app {

// One kInvalid for each file of --ca-file, --cert-dir and --registries-conf that cannot be used;
// pipes are not read.
std::vector<Error> check_network_files(const CommonOptions& options);

// kInvalid when --cert-dir cannot be used.
Result<http::CurlClient::Options> client_options(const CommonOptions& options,
                                                 const Environment& environment);

struct RegistrySettings {
  registry::RegistryOptions options;
  std::vector<registries_conf::CredentialHelper> credential_helpers;  // of registries.conf
};

// Problems of registries.conf go to `logger`, but that a file which somebody named cannot be read
// is an error.
Result<RegistrySettings> registry_settings(const CommonOptions& options,
                                           const Environment& environment,
                                           telemetry::Logger& logger);

}  // namespace windlass::app

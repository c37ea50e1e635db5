// Where people keep their logins, and in which order they count.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "windlass/app/streams.h"
#include "windlass/base/clock.h"
#include "windlass/base/result.h"
#include "windlass/credentials/keychain.h"
#include "windlass/registries_conf/load.h"
#include "windlass/telemetry/logger.h"

namespace windlass::app {

// The files that are read, first to last; the logins of all of them are tried in this order.
//   `authfile`, when it is not empty, and nothing else; otherwise
//   $REGISTRY_AUTH_FILE, and when it is set nothing of podman's; $DOCKER_CONFIG/config.json, or
//   ~/.docker/config.json; $XDG_RUNTIME_DIR/containers/auth.json;
//   $XDG_CONFIG_HOME/containers/auth.json, or ~/.config/containers/auth.json.
std::vector<std::string> credential_files(const std::string& authfile,
                                          const Environment& environment);

// kInvalid when the file of --authfile is not there, may not be read, or is not of its kind. A pipe
// is not read.
Result<void> check_authfile(const std::string& authfile);

// All logins in these files. A file that is not there holds none. One that cannot be read, and a
// bad entry, are told as warnings, stand in the problems of the images that they may have been for,
// and do not hide the others; only an `authfile` that cannot be read is an error.
//
// `helpers` are asked in their order, each for what those before it have no login of; the files are
// asked where they stand among them. With none, or with `authfile`, the files alone are.
Result<std::shared_ptr<credentials::Keychain>> keychain_of_user(
    const std::string& authfile, const std::vector<registries_conf::CredentialHelper>& helpers,
    const Environment& environment, Clock& clock, telemetry::Logger& logger);

}  // namespace windlass::app

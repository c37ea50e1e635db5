// One login of a Docker config, a podman auth.json or a pull secret: the object under its key.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

#include "windlass/credentials/credential.h"

namespace windlass::credentials {

struct LoginEntry {
  std::optional<Credential> login;  // none where the entry is empty
  std::string problem;              // why there is none though there should be; shows no value
};

LoginEntry read_login_entry(const boost::json::value& value, const std::string& source);

}  // namespace windlass::credentials

// Kubernetes pull secrets: Secret objects of the types kubernetes.io/dockerconfigjson and
// kubernetes.io/dockercfg, read into a Keyring. Fetching them from a cluster is not done here.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "windlass/credentials/keyring.h"
#include "windlass/credentials/secret.h"

namespace windlass::credentials {

struct PullSecret {
  std::string source;  // for people, and the source of its logins: "secret shop/regcred"
  std::string type;
  std::map<std::string, Secret> data;  // decoded from base64
};

// Adds the logins of `secret` behind those in `keyring`. Returns one line, beginning with the
// source, for each bad entry and for a secret that cannot be used at all; never a value. What is
// wrong with one entry is also said by `keyring` for the images it would be for.
std::vector<std::string> add_pull_secret(const PullSecret& secret, Keyring& keyring);

}  // namespace windlass::credentials

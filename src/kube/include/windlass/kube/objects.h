// The objects that are read from a cluster, and how.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/credentials/secret.h"
#include "windlass/kube/api_client.h"

namespace windlass::kube {

struct SecretObject {
  std::string type;
  std::map<std::string, credentials::Secret> data;  // decoded
  std::vector<std::string> problems;                // of data that is not base64, by its key
};

struct ServiceAccount {
  std::vector<std::string> image_pull_secrets;  // names, in order
};

// Whether an object of these kinds can have this name; then it is safe in a path, too.
bool is_object_name(std::string_view name);

// kInvalid, without asking, for what cannot be a name; otherwise as ApiClient::get().
Result<SecretObject> read_secret(ApiClient& client, const std::string& name_space,
                                 const std::string& name, const std::stop_token& stop);
Result<ServiceAccount> read_service_account(ApiClient& client, const std::string& name_space,
                                            const std::string& name, const std::stop_token& stop);

}  // namespace windlass::kube

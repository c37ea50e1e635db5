#include <algorithm>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/credentials/secret_file.h"
#include "windlass/kube/connection.h"

namespace windlass::kube {

Result<Connection> in_cluster(const std::string& host, const std::string& port,
                              const std::string& folder) {
  if (host.empty() || port.empty()) {
    return fail(ErrorCode::kNotFound,
                "not in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
  }
  const bool is_number = std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number) {
    return fail(ErrorCode::kInvalid,
                format("KUBERNETES_SERVICE_PORT is {}: a number is expected", quoted(port, 40)));
  }
  Connection connection;
  connection.source = "the pod's service account";
  const bool is_ipv6 = host.find(':') != std::string::npos && !host.starts_with('[');
  connection.server =
      is_ipv6 ? format("https://[{}]:{}", host, port) : format("https://{}:{}", host, port);
  connection.identity.token_file = folder + "/token";
  if (const auto token = credentials::read_secret_file(connection.identity.token_file); !token)
    return fail(token.error(), "the pod's service account");
  connection.ca_file = folder + "/ca.crt";
  if (const auto ca = credentials::read_secret_file(connection.ca_file); !ca) {
    if (ca.error().code != ErrorCode::kNotFound)
      return fail(ca.error(), "the pod's service account");
    connection.ca_file.clear();
  }
  if (const auto name = credentials::read_secret_file(folder + "/namespace"))
    connection.default_namespace = trim(name->reveal());
  return connection;
}

}  // namespace windlass::kube

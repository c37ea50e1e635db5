// Connection: everything that has to be known to talk to one Kubernetes API server: where it is,
// whom to trust, who to be. Made from a kubeconfig or from what a pod is given.
//
// A value. Secrets in it overwrite themselves.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/credentials/secret.h"

namespace windlass::kube {

// A program that gives credentials: client.authentication.k8s.io, v1 or v1beta1.
struct ExecPlugin {
  std::vector<std::string> command;  // the program, then its arguments
  std::vector<std::pair<std::string, std::string>> environment;
  std::string api_version;
  std::string install_hint;  // for people, when there is no such program
  std::string cluster_json;  // what the plugin is told about the cluster; "" for nothing
};

// Who to be. What a server does not ask for is not sent; a token goes before user and password.
struct Identity {
  credentials::Secret token;
  std::string token_file;  // read anew for each request; `token` counts while it cannot be read
  std::string user;
  credentials::Secret password;

  std::string client_certificate_file;
  std::string client_key_file;
  credentials::Secret client_certificate_pem;  // in place of the files
  credentials::Secret client_key_pem;

  std::optional<ExecPlugin> exec;  // in place of everything above, for what it gives

  // Impersonation: headers that go with each request, "Impersonate-User" and its kin.
  std::vector<std::pair<std::string, std::string>> impersonation;
};

struct Connection {
  std::string source;  // for people: "context kind of /root/.kube/config"
  std::string server;  // "https://host:port", perhaps with a path; without a slash at the end
  std::string ca_file;
  std::string ca_pem;  // in place of the file; with neither, the system's roots are trusted
  bool any_certificate = false;
  std::string server_name;  // what the certificate must be for, instead of the host
  std::string proxy;        // for this server alone
  std::string default_namespace = "default";
  Identity identity;
};

// What a pod is given: `host` and `port` are its KUBERNETES_SERVICE_HOST and
// KUBERNETES_SERVICE_PORT (the environment is not read here), `folder` holds token, ca.crt and
// namespace. kNotFound when this is no pod.
Result<Connection> in_cluster(
    const std::string& host, const std::string& port,
    const std::string& folder = "/var/run/secrets/kubernetes.io/serviceaccount");

}  // namespace windlass::kube

// CertificateFolders: the certs.d folders of docker and podman: TLS settings by host.
//
// Below each root there may be a folder for a host, called "HOST" or "HOST:PORT". In it, files
// called *.crt hold CAs to trust, and NAME.cert with NAME.key is a client certificate. The folders
// of other hosts are not touched.
//
// Thread safety: a constant value.
#pragma once

#include <string>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/http/tls_settings.h"

namespace windlass::http {

// What one such folder holds; nothing when it is not there. kInvalid names the folder that cannot
// be read, or the file whose other half is missing. What is in the files is not looked at.
Result<TlsSettings> read_certificate_folder(const std::string& folder);

class CertificateFolders {
 public:
  // Roots in order, such as /etc/containers/certs.d and /etc/docker/certs.d.
  explicit CertificateFolders(std::vector<std::string> roots) : roots_(std::move(roots)) {}

  // The first folder that is there counts. `authority` is Url::authority(); a host on port 443 may
  // also be called "HOST:443", and Docker Hub's own host "docker.io". Made for
  // CurlClient::Options::tls_of_host.
  Result<TlsSettings> of_host(const std::string& authority) const;

 private:
  std::vector<std::string> roots_;
};

}  // namespace windlass::http

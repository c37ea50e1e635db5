// TlsSettings: whom to trust and who to be, for connections over TLS: files, read when the client
// is made (or first asks the host they are for), or the same as text.
#pragma once

#include <string>
#include <vector>

#include "windlass/base/result.h"

namespace windlass::http {

enum class TlsVersion { k12, k13 };

// TLS below 1.2 is never spoken; only a request can forgo verification.
struct TlsSettings {
  // PEM, one or more certificates each. The system's roots (also SSL_CERT_FILE and SSL_CERT_DIR,
  // which OpenSSL reads itself) stay in force beside them, unless `system_roots` is false.
  std::vector<std::string> ca_files;
  std::string ca_pem;
  bool system_roots = true;

  // A client certificate with its chain after it, and its key without a passphrase, in PEM: two
  // files, or two texts, or neither. The client overwrites its copy of the key once it is read.
  std::string client_certificate_file;
  std::string client_key_file;
  std::string client_certificate_pem;
  std::string client_key_pem;

  // When not empty: the name that the server is asked for and whose certificate it must show,
  // instead of the URL's host. Of a client's own settings only, not of one host's.
  std::string server_name;

  TlsVersion version_min = TlsVersion::k12;

  friend bool operator==(const TlsSettings&, const TlsSettings&) = default;
};

// kInvalid when a file or a text of `settings` cannot be used, as when a client is made with it.
Result<void> check(const TlsSettings& settings);

}  // namespace windlass::http

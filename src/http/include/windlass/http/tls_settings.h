// TlsSettings: whom to trust and who to be, for connections over TLS. Files, read when the client
// is made (or first asks the host they are for).
#pragma once

#include <string>
#include <vector>

namespace windlass::http {

// The system's roots (also SSL_CERT_FILE and SSL_CERT_DIR, which OpenSSL reads itself) stay in
// force beside `ca_files`. TLS below 1.2 is never spoken; only a request can forgo verification.
enum class TlsVersion { k12, k13 };

struct TlsSettings {
  std::vector<std::string> ca_files;    // PEM, one or more certificates each
  std::string client_certificate_file;  // PEM, chain after it; both or neither
  std::string client_key_file;          // PEM, without a passphrase
  TlsVersion version_min = TlsVersion::k12;

  friend bool operator==(const TlsSettings&, const TlsSettings&) = default;
};

}  // namespace windlass::http

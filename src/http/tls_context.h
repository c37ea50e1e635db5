// TlsContext: TlsSettings, loaded. Installed into each new connection's SSL_CTX, so that the roots
// are read once, when they are first needed, and not once per connection.
//
// Used by the loop's thread only after it has been made.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/http/tls_settings.h"

namespace windlass::http {

class TlsContext {
 public:
  // kInvalid names the file that cannot be read, holds no certificate, or has no fitting partner.
  static Result<std::shared_ptr<const TlsContext>> load(const TlsSettings& settings);

  void install(SSL_CTX* context) const;

 private:
  template <auto Free>
  struct Freer {
    void operator()(auto* object) const { Free(object); }
  };
  using Certificate = std::unique_ptr<X509, Freer<X509_free>>;

  static Result<std::vector<Certificate>> read_certificates(const std::string& file);
  Result<void> trust(const std::vector<std::string>& files);
  Result<void> read_identity(const TlsSettings& settings);

  int version_min_ = TLS1_2_VERSION;
  std::unique_ptr<X509_STORE, Freer<X509_STORE_free>> roots_;
  mutable bool system_roots_added_ = false;
  std::vector<Certificate> identity_;  // own certificate first, then its chain
  std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>> key_;
};

}  // namespace windlass::http

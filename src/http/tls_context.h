// TlsContext: TlsSettings, loaded. Installed into each new connection's SSL_CTX, so that the roots
// are read once, when they are first needed, and not once per connection.
//
// Used by the loop's thread only after it has been made.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/http/tls_settings.h"

namespace windlass::http {

class TlsContext {
 public:
  // kInvalid names the file that cannot be read, holds no certificate, or has no fitting partner.
  static Result<std::shared_ptr<const TlsContext>> load(const TlsSettings& settings);

  void install(SSL_CTX* context) const;

  const std::string& server_name() const { return server_name_; }  // "" for the URL's host

 private:
  template <auto Free>
  struct Freer {
    void operator()(auto* object) const { Free(object); }
  };
  using Certificate = std::unique_ptr<X509, Freer<X509_free>>;

  // Something in PEM form and its name for people.
  struct Source {
    static Result<Source> file(const std::string& path);
    static Source text(std::string_view pem, std::string name);

    std::unique_ptr<BIO, Freer<BIO_free>> bio;
    std::string name;
  };

  static Result<std::vector<Certificate>> read_certificates(const Source& source);
  Result<void> trust(const Source& source);
  Result<void> trust_all(const TlsSettings& settings);
  Result<void> read_identity(const TlsSettings& settings);
  Result<void> read_identity(const Source& certificate, const Source& key);

  int version_min_ = TLS1_2_VERSION;
  std::unique_ptr<X509_STORE, Freer<X509_STORE_free>> roots_;
  mutable bool system_roots_wanted_ = true;  // and not yet added
  std::vector<Certificate> identity_;        // own certificate first, then its chain
  std::unique_ptr<EVP_PKEY, Freer<EVP_PKEY_free>> key_;
  std::string server_name_;
};

}  // namespace windlass::http

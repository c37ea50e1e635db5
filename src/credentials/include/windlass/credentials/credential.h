// Credential: one login that may open a registry, and where it came from.
//
// A value. Its secret is reachable by name only; everything else may be shown.
#pragma once

#include <string>

#include "windlass/credentials/secret.h"

namespace windlass::credentials {

class Credential {
 public:
  enum class Kind {
    kAnonymous,
    kPassword,       // user and password: Basic, or exchanged for a token
    kIdentityToken,  // an OAuth2 refresh token: exchanged for a token, never sent to a registry
    kRegistryToken,  // a token to use as it is
  };

  static Credential anonymous();

  // `source` tells people where to look: "/root/.docker/config.json".
  static Credential password(std::string user, Secret password, std::string source);
  static Credential identity_token(std::string user, Secret token, std::string source);
  static Credential registry_token(Secret token, std::string source);

  Kind kind() const { return kind_; }
  bool is_anonymous() const { return kind_ == Kind::kAnonymous; }
  const std::string& user() const { return user_; }
  const Secret& secret() const { return secret_; }
  const std::string& source() const { return source_; }

  // The same text for the same login, whatever its source, and no other; "" for anonymous. For
  // keys in memory: it is a plain hash of the secret and must not be shown.
  const std::string& fingerprint() const { return fingerprint_; }

  // For people: "user alice from /root/.docker/config.json", "anonymous".
  std::string shown() const;

 private:
  Credential(Kind kind, std::string user, Secret secret, std::string source);

  Kind kind_;
  std::string user_;
  Secret secret_;
  std::string source_;
  std::string fingerprint_;
};

}  // namespace windlass::credentials

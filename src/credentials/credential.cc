#include "windlass/credentials/credential.h"

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/image/digest.h"

namespace windlass::credentials {

Credential::Credential(Kind kind, std::string user, Secret secret, std::string source)
    : kind_(kind), user_(std::move(user)), secret_(std::move(secret)), source_(std::move(source)) {
  if (kind_ == Kind::kAnonymous) return;
  std::string all;
  all.reserve(user_.size() + secret_.reveal().size() + 8);
  // The user's length keeps "ab" + "c" and "a" + "bc" apart.
  all += format("{} {} ", static_cast<int>(kind_), user_.size());
  all += user_;
  all += secret_.reveal();
  fingerprint_ = image::Digest::sha256_of(all).hex();
  erase(all);
}

Credential Credential::anonymous() { return {Kind::kAnonymous, {}, {}, {}}; }

Credential Credential::password(std::string user, Secret password, std::string source) {
  return {Kind::kPassword, std::move(user), std::move(password), std::move(source)};
}

Credential Credential::identity_token(std::string user, Secret token, std::string source) {
  return {Kind::kIdentityToken, std::move(user), std::move(token), std::move(source)};
}

Credential Credential::registry_token(Secret token, std::string source) {
  return {Kind::kRegistryToken, {}, std::move(token), std::move(source)};
}

std::string Credential::shown() const {
  const std::string from = printable(source_);
  switch (kind_) {
    case Kind::kAnonymous: return "anonymous";
    case Kind::kPassword: return format("user {} from {}", printable(user_, 60), from);
    case Kind::kIdentityToken: return format("identity token from {}", from);
    case Kind::kRegistryToken: return format("registry token from {}", from);
  }
  return {};
}

}  // namespace windlass::credentials

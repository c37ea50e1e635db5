// HelperKeychain: the logins of one credential helper that is asked for every host.
//
// Such helpers are named beside the files of logins, not in one of them; see FileKeychain for
// those.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <memory>
#include <string>

#include "windlass/credentials/credential_helpers.h"
#include "windlass/credentials/keychain.h"

namespace windlass::credentials {

class HelperKeychain final : public Keychain {
 public:
  // `place` is where the helper is named, for messages.
  HelperKeychain(std::string helper, std::string place, std::shared_ptr<CredentialHelpers> helpers)
      : helper_(std::move(helper)), place_(std::move(place)), helpers_(std::move(helpers)) {}

  void find(const image::ImageReference& reference, std::stop_token stop, Callback done) override;
  void refresh(const image::ImageReference& reference) override;

 private:
  const std::string helper_;
  const std::string place_;
  const std::shared_ptr<CredentialHelpers> helpers_;
};

}  // namespace windlass::credentials

#include "windlass/credentials/helper_keychain.h"

namespace windlass::credentials {

// Podman keeps a login of Docker Hub under its plain name in such a helper, unlike Docker.
void HelperKeychain::find(const image::ImageReference& reference, std::stop_token, Callback done) {
  helpers_->get(helper_, reference.registry(),
                [place = place_, done = std::move(done)](CredentialHelpers::Answer answer) mutable {
                  done(found_by_helper(std::move(answer), place));
                });
}

void HelperKeychain::refresh(const image::ImageReference& reference) {
  helpers_->drop(helper_, reference.registry());
}

}  // namespace windlass::credentials

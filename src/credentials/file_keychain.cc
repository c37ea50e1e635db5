#include "windlass/credentials/file_keychain.h"

#include "registry_key.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::credentials {

void FileKeychain::find(const image::ImageReference& reference, std::stop_token, Callback done) {
  const std::string helper = config_.helper_for(reference);
  if (helper.empty()) return done(config_.find(reference));
  if (helpers_ == nullptr) {
    Found found;
    found.problems.push_back(
        {.code = ErrorCode::kInvalid,
         .message = format("{}: {} has the credential helper {}, and helpers are not run here",
                           config_.place(), reference.registry(), printable(helper, 60))});
    return done(std::move(found));
  }
  helpers_->get(
      helper, helper_key(reference.registry()),
      [place = config_.place(), done = std::move(done)](CredentialHelpers::Answer answer) mutable {
        done(found_by_helper(std::move(answer), place));
      });
}

void FileKeychain::refresh(const image::ImageReference& reference) {
  const std::string helper = config_.helper_for(reference);
  if (helpers_ != nullptr && !helper.empty())
    helpers_->drop(helper, helper_key(reference.registry()));
}

}  // namespace windlass::credentials

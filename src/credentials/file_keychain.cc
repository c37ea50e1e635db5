#include "windlass/credentials/file_keychain.h"

namespace windlass::credentials {

void FileKeychain::find(const image::ImageReference& reference, std::stop_token, Callback done) {
  done(config_.find(reference));
}

}  // namespace windlass::credentials

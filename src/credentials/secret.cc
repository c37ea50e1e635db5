#include "windlass/credentials/secret.h"

#include <cstring>

namespace windlass::credentials {

void Secret::erase() {
  if (!bytes_.empty()) explicit_bzero(bytes_.data(), bytes_.size());
}

void erase(std::string& text) {
  explicit_bzero(text.data(), text.size());
  text.clear();
}

}  // namespace windlass::credentials

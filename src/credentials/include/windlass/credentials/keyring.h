// Keyring: logins kept under image patterns, as the kubelet collects them from pull secrets and
// plugins: all that fit an image, the more specific pattern first, equal ones in the order added.
//
// A value; const members may be called from any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "windlass/credentials/image_pattern.h"
#include "windlass/credentials/keychain.h"

namespace windlass::credentials {

class Keyring {
 public:
  void add(ImagePattern pattern, Credential login);

  // For the images that `pattern` covers, `problem` says why a login is missing.
  void add_problem(ImagePattern pattern, Error problem);

  // Behind what is there already.
  void add_all(const Keyring& other);

  // Each login once.
  Found find(const image::ImageReference& reference) const;

  bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    ImagePattern pattern;
    std::optional<Credential> login;
    std::optional<Error> problem;
  };

  std::vector<Entry> entries_;
};

}  // namespace windlass::credentials

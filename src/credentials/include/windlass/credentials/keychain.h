// Keychain: the logins that may open an image's registry, best first.
//
// A registry decides whether a login is any good, so a keychain hands over all that fit and never
// says which is right. It does not talk to registries.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "windlass/base/error.h"
#include "windlass/credentials/credential.h"
#include "windlass/image/image_reference.h"

namespace windlass::credentials {

struct Found {
  std::vector<Credential> candidates;  // in the order to try; none means anonymous

  // What kept further logins from being found: a bad entry for this very image, a program that
  // failed, a server that did not answer. They matter when no candidate opens the registry.
  std::vector<Error> problems;
};

class Keychain {
 public:
  using Callback = std::move_only_function<void(Found)>;

  virtual ~Keychain() = default;

  // Calls `done` exactly once, from this call or from a thread of the keychain's, never under a
  // lock. When `stop` is requested it may answer early, with a kCancelled problem.
  virtual void find(const image::ImageReference& reference, std::stop_token stop,
                    Callback done) = 0;

  // The registry has refused what find() gave: the next find() for `reference` asks the source anew
  // where its answer may have changed. Not more often than the source can bear.
  virtual void refresh(const image::ImageReference&) {}
};

// Several keychains asked in order; their candidates stand in that order, each login once. With
// Take::kFirst those behind one that has a login are not asked.
//
// What is being asked does not keep the links alive: they go with this object, which is not to be
// destroyed from a callback of theirs, and whoever still waits is answered with what there is and a
// kCancelled problem.
class ChainedKeychain final : public Keychain {
 public:
  enum class Take { kAll, kFirst };

  explicit ChainedKeychain(std::vector<std::shared_ptr<Keychain>> links, Take take = Take::kAll);
  ~ChainedKeychain() override;

  void find(const image::ImageReference& reference, std::stop_token stop, Callback done) override;
  void refresh(const image::ImageReference& reference) override;

 private:
  struct Links;
  struct Collection;

  const std::shared_ptr<Links> links_;
};

// Has no login for anybody.
class AnonymousKeychain final : public Keychain {
 public:
  void find(const image::ImageReference&, std::stop_token, Callback done) override { done({}); }
};

}  // namespace windlass::credentials

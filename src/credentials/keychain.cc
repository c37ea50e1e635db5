#include "windlass/credentials/keychain.h"

#include <algorithm>

namespace windlass::credentials {
namespace {

// One find() under way: asks link after link and collects. It keeps itself alive through the
// callback that the current link holds.
struct Collection {
  std::vector<std::shared_ptr<Keychain>> links;
  image::ImageReference reference;
  std::stop_token stop;
  Keychain::Callback done;
  Found all;

  void add(Found found) {
    for (Credential& candidate : found.candidates) {
      const bool known = std::ranges::any_of(all.candidates, [&](const Credential& other) {
        return other.fingerprint() == candidate.fingerprint();
      });
      if (!known) all.candidates.push_back(std::move(candidate));
    }
    std::ranges::move(found.problems, std::back_inserter(all.problems));
  }

  static void ask(const std::shared_ptr<Collection>& self, std::size_t next) {
    if (next == self->links.size()) return self->done(std::move(self->all));
    self->links[next]->find(self->reference, self->stop, [self, next](Found found) {
      self->add(std::move(found));
      ask(self, next + 1);
    });
  }
};

}  // namespace

void ChainedKeychain::find(const image::ImageReference& reference, std::stop_token stop,
                           Callback done) {
  Collection::ask(
      std::make_shared<Collection>(links_, reference, std::move(stop), std::move(done), Found{}),
      0);
}

void ChainedKeychain::refresh(const image::ImageReference& reference) {
  for (const std::shared_ptr<Keychain>& link : links_) link->refresh(reference);
}

}  // namespace windlass::credentials

#include "windlass/credentials/keychain.h"

#include <algorithm>
#include <atomic>

namespace windlass::credentials {

// Outlives the chain where something is being asked, but then without the keychains: what they have
// under way refers to what has been asked, and would keep them alive in a circle.
struct ChainedKeychain::Links {
  Links(std::vector<std::shared_ptr<Keychain>> all_in, Take take_in)
      : all(std::move(all_in)), take(take_in) {}

  // Held while one of `all` is called.
  class Use {
   public:
    explicit Use(Links& links) : links_(links) { ++links_.users; }
    ~Use() {
      if (--links_.users == 0) links_.users.notify_all();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    bool is_open() const { return !links_.closed; }

   private:
    Links& links_;
  };

  void close() {
    closed = true;
    for (int now = users; now > 0; now = users) users.wait(now);
    all.clear();
  }

  std::vector<std::shared_ptr<Keychain>> all;
  const Take take;
  std::atomic<bool> closed = false;
  std::atomic<int> users = 0;
};

// One find() under way: asks link after link and collects. It keeps itself alive through the
// callback that the current link holds.
struct ChainedKeychain::Collection {
  std::shared_ptr<Links> links;
  image::ImageReference reference;
  std::stop_token stop;
  Callback done;
  Found all;

  bool has_enough() const { return links->take == Take::kFirst && !all.candidates.empty(); }

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
    {
      const Links::Use use(*self->links);
      const bool goes_on = use.is_open() && !self->stop.stop_requested();
      if (goes_on && next < self->links->all.size() && !self->has_enough()) {
        return self->links->all[next]->find(self->reference, self->stop, [self, next](Found found) {
          self->add(std::move(found));
          ask(self, next + 1);
        });
      }
      if (!goes_on)
        self->all.problems.push_back({.code = ErrorCode::kCancelled, .message = "cancelled"});
    }
    self->done(std::move(self->all));
  }
};

ChainedKeychain::ChainedKeychain(std::vector<std::shared_ptr<Keychain>> links, Take take)
    : links_(std::make_shared<Links>(std::move(links), take)) {}

ChainedKeychain::~ChainedKeychain() { links_->close(); }

void ChainedKeychain::find(const image::ImageReference& reference, std::stop_token stop,
                           Callback done) {
  Collection::ask(
      std::make_shared<Collection>(links_, reference, std::move(stop), std::move(done), Found{}),
      0);
}

void ChainedKeychain::refresh(const image::ImageReference& reference) {
  for (const std::shared_ptr<Keychain>& link : links_->all) link->refresh(reference);
}

}  // namespace windlass::credentials

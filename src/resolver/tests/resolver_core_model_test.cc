// Goal: whatever the order of calls, answers, failures and time, an epoch is called back at most
// once, no owner after it was forgotten, no image asked for twice at a time, nobody is told what
// only another login was told, and nothing is left at the end. Method: random steps against a model
// that knows of each owner only what it asked for.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "core_world.h"

namespace windlass::resolver {
namespace {

struct Step {
  int kind;
  int owner;
  int choice;
};

struct ModelOwner {
  std::vector<std::string> images;
  std::string identity;
  int callbacks = 0;  // of this epoch
};

const std::vector<std::string> kImages = {"one",
                                          "two:v2",
                                          "registry.test/three",
                                          "kind.local/four",
                                          "five@sha256:" + std::string(64, '5'),
                                          "NOT/an image"};

class NoLogins final : public credentials::Keychain {
 public:
  void find(const image::ImageReference&, std::stop_token, Callback done) override { done({}); }
};

class Model {
 public:
  void run(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      take(step);
      check();
    }
    finish();
  }

 private:
  static std::string owner_name(int owner) { return "ns/" + std::to_string(owner); }

  static std::vector<std::string> images_for(int choice) {
    std::vector<std::string> images;
    for (std::size_t i = 0; i < kImages.size(); ++i) {
      if (((choice >> i) & 1) != 0) images.push_back(kImages[i]);
    }
    if (choice % 5 == 0 && !images.empty()) images.push_back(images.front());
    return images;
  }

  void take(const Step& step) {
    const std::string owner = owner_name(step.owner);
    switch (step.kind) {
      case 0:
      case 1:
      case 2: resolve(owner, images_for(step.choice), step.choice % 3 == 0 ? "alice" : ""); break;
      case 3:
        world_.clear(owner);
        model_.erase(owner);
        break;
      case 4:
        world_.forget(owner);
        model_.erase(owner);
        break;
      case 5: world_.advance(std::chrono::milliseconds(step.choice * step.choice * 10)); break;
      case 10: count_callbacks(); break;
      case 11:
        if (step.choice >= 4) break;
        world_.stop();
        stopped_ = true;
        break;
      case 6:
        if (world_.cancelled() > 0) world_.end_cancelled();
        break;
      default: end_a_try(step); break;
    }
  }

  void resolve(const std::string& owner, const std::vector<std::string>& images,
               const std::string& identity) {
    if (!stopped_) {
      ModelOwner& model = model_[owner];
      if (model.images != images || model.identity != identity) {
        model = {.images = images, .identity = identity};
      }
    }
    ResolveOptions options;
    options.credentials.identity = identity;
    if (!identity.empty()) options.credentials.keychain = std::make_shared<NoLogins>();
    options.deadline = std::chrono::seconds(20);
    const std::optional<Answer> answer = world_.resolve(owner, images, options);
    if (!answer) {
      RC_ASSERT(!stopped_ && model_[owner].callbacks == 0);
      return;
    }
    RC_ASSERT(answer->images.size() == images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
      RC_ASSERT(answer->images[i].image == images[i]);
      if (answer->images[i].resolved()) {
        const registry::Resolution& told = *answer->images[i].resolution;
        RC_ASSERT(told.reference.written() == images[i]);
        if (told.asked)
          RC_ASSERT(told.digest == CoreWorld::digest_told(images[i], !identity.empty()));
      }
    }
  }

  void end_a_try(const Step& step) {
    const std::vector<std::string> running = world_.running();
    if (running.empty()) return;
    const std::string image = running[static_cast<std::size_t>(step.choice) % running.size()];
    if (step.kind == 7) world_.succeed(image);
    if (step.kind == 8) world_.fail(image, ErrorCode::kUnavailable);
    if (step.kind == 9) world_.fail(image, ErrorCode::kNotFound);
  }

  void count_callbacks() {
    for (const std::string& owner : world_.take_callbacks()) {
      RC_ASSERT(model_.contains(owner));
      RC_ASSERT(++model_[owner].callbacks == 1);
    }
  }

  void check() {
    const Status status = world_.status();
    const std::size_t owners =
        status.owners.pending + status.owners.resolved + status.owners.failed;
    RC_ASSERT(owners == model_.size());
    RC_ASSERT(world_.queued() <= status.lookups);
    RC_ASSERT(status.lookups_running == world_.running().size());
    std::set<std::pair<std::string, std::string>> distinct;
    for (const LookupStatus& lookup : status.details) {
      RC_ASSERT(distinct.emplace(lookup.image, lookup.identity).second);
      RC_ASSERT(lookup.waiters > 0U);
    }
  }

  void finish() {
    // Every deadline passes, so every owner has been called back.
    world_.advance(std::chrono::seconds(20));
    check();
    count_callbacks();
    for (const auto& [owner, model] : model_) RC_ASSERT(model.callbacks == 1);
    for (int owner = 0; owner < 4; ++owner) world_.forget(owner_name(owner));
    while (world_.cancelled() > 0) world_.end_cancelled();
    RC_ASSERT(world_.take_callbacks().empty());
    RC_ASSERT(world_.core().empty());
    RC_ASSERT(world_.queued() == 0U);
    RC_ASSERT(world_.running().empty());
  }

  CoreWorld world_;
  bool stopped_ = false;
  std::map<std::string, ModelOwner> model_;
};

RC_GTEST_PROP(ResolverCore, AgreesWithItsModelInEveryOrderOfEvents, ()) {
  const auto steps = *rc::gen::container<std::vector<Step>>(rc::gen::construct<Step>(
      rc::gen::inRange(0, 12), rc::gen::inRange(0, 4), rc::gen::inRange(0, 64)));
  Model().run(steps);
}

}  // namespace
}  // namespace windlass::resolver

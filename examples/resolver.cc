// The program of docs/guides/resolver.md: digests for many owners, in the background.
#include <chrono>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "windlass/base/clock.h"
#include "windlass/resolver/background_resolver.h"
#include "windlass/resolver/status_text.h"
#include "windlass/workqueue/work_queue.h"

namespace {

using namespace std::chrono_literals;
using windlass::registry::ImageResolver;
using windlass::resolver::Answer;
using windlass::resolver::BackgroundResolver;
using windlass::resolver::ImageResult;
using windlass::workqueue::WorkQueue;

// Stands in for registry::RegistryClient, so that this program needs no network.
class Pretend final : public ImageResolver {
 public:
  void resolve(const windlass::image::ImageReference& reference,
               const windlass::registry::LookupOptions&, std::stop_token,
               windlass::registry::LookupCallback done) override {
    ++asked_;
    if (reference.normalised().ends_with(":missing"))
      return done(windlass::fail(windlass::ErrorCode::kNotFound, "no such tag"));
    done(windlass::registry::Resolution{
        .reference = reference,
        .digest = windlass::image::Digest::sha256_of(reference.normalised()),
        .media_type = {},
        .size = {},
        .credential_source = "anonymous"});
  }
  int asked() const { return asked_; }

 private:
  int asked_ = 0;
};

using Deployments = std::map<std::string, std::vector<std::string>>;

// [reconcile]
// False while the answer is pending: the callback adds the key again when it is there.
bool reconcile(BackgroundResolver& resolver, const std::string& key,
               const std::vector<std::string>& images) {
  const std::optional<Answer> answer = resolver.resolve(key, images);
  if (!answer) return false;
  if (const auto error = answer->error()) {
    std::printf("%s fails: %s\n", key.c_str(), error->message.c_str());
    return true;
  }
  for (const ImageResult& image : answer->images)
    std::printf("%s runs %.40s...\n", key.c_str(), image.resolution->pinned_name().c_str());
  return true;
}
// [reconcile]

void run(ImageResolver& registries, const Deployments& deployments) {
  // [wiring]
  WorkQueue<std::string> queue(windlass::system_clock(), {.name = "deployments"});
  BackgroundResolver resolver(windlass::system_clock(), registries, {.in_flight_max = 100},
                              [&queue](const std::string& key) { queue.add(key); });
  // [wiring]
  for (const auto& [key, images] : deployments) queue.add(key);
  // A key may come again when it is done already, as in any controller.
  for (std::set<std::string> done; done.size() < deployments.size();) {
    const auto item = queue.get();
    const std::string key(item->key());
    if (reconcile(resolver, key, deployments.at(key))) done.insert(key);
  }
  // [status]
  std::puts(to_line(resolver.status()).c_str());
  // [status]
  // [end]
  for (const auto& [key, images] : deployments) resolver.forget(key);
  resolver.stop(BackgroundResolver::StopMode::kDrain);
  // [end]
}

}  // namespace

int main() {
  Pretend registries;
  run(registries, {{"shop/web", {"nginx:1.27"}},
                   {"shop/api", {"nginx:1.27", "r.test/api:v2"}},
                   {"shop/old", {"r.test/old:missing"}}});
  std::printf("%d lookups\n", registries.asked());
}

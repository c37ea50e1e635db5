#include "windlass/resolver/testing/scripted_image_resolver.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "windlass/base/check.h"
#include "windlass/base/clock.h"

namespace windlass::resolver {

registry::Resolution resolution_for(const image::ImageReference& reference) {
  return registry::Resolution{.reference = reference,
                              .digest = image::Digest::sha256_of(reference.normalised()),
                              .media_type = "application/vnd.oci.image.index.v1+json",
                              .size = 1234,
                              .credential_source = "anonymous"};
}

ScriptedImageResolver::~ScriptedImageResolver() {
  MutexLock lock(mutex_);
  WINDLASS_CHECK(open_.empty());
}

void ScriptedImageResolver::resolve(const image::ImageReference& reference,
                                    const registry::LookupOptions&, std::stop_token stop,
                                    registry::LookupCallback done) {
  MutexLock lock(mutex_);
  const std::uint64_t id = ++started_;
  changed_.notify_all();
  if (at_once_) {
    const auto answer = at_once_;
    lock.unlock();
    return done(answer(reference));
  }
  open_.emplace(id, Lookup{.reference = reference, .done = std::move(done), .on_stop = nullptr});
  open_max_ = std::max(open_max_, open_.size());
  lock.unlock();
  if (on_stop_ == OnStop::kIgnored) return;

  // Runs at once, here, when the stop has been requested already.
  auto on_stop = std::make_unique<std::stop_callback<std::function<void()>>>(
      std::move(stop), std::function<void()>([this, id] {
        end(id, fail(ErrorCode::kCancelled, "cancelled by the caller"));
      }));
  lock.lock();
  const auto still_open = open_.find(id);
  if (still_open != open_.end()) still_open->second.on_stop = std::move(on_stop);
  lock.unlock();
}

void ScriptedImageResolver::answer_at_once(
    std::function<Result<registry::Resolution>(const image::ImageReference&)> answer) {
  MutexLock lock(mutex_);
  at_once_ = std::move(answer);
}

void ScriptedImageResolver::await_started(std::size_t count) {
  MutexLock lock(mutex_);
  system_clock().wait(mutex_, changed_, {}, [&] {
    mutex_.assert_held();
    return started_ >= count;
  });
}

void ScriptedImageResolver::await_open(std::size_t count) {
  MutexLock lock(mutex_);
  system_clock().wait(mutex_, changed_, {}, [&] {
    mutex_.assert_held();
    return open_.size() == count;
  });
}

void ScriptedImageResolver::answer(const std::string& image, Result<registry::Resolution> result) {
  const std::string wanted = image::ImageReference::parse(image).value().normalised();
  MutexLock lock(mutex_);
  const auto found = std::ranges::find_if(
      open_, [&](const auto& entry) { return entry.second.reference.normalised() == wanted; });
  WINDLASS_CHECK(found != open_.end());
  const std::uint64_t id = found->first;
  lock.unlock();
  end(id, std::move(result));
}

void ScriptedImageResolver::answer(const std::string& image) {
  answer(image, resolution_for(image::ImageReference::parse(image).value()));
}

bool ScriptedImageResolver::answer_nth(
    std::size_t index,
    const std::function<Result<registry::Resolution>(const image::ImageReference&)>& answer) {
  MutexLock lock(mutex_);
  if (index >= open_.size()) return false;
  const auto found = std::next(open_.begin(), static_cast<std::ptrdiff_t>(index));
  const std::uint64_t id = found->first;
  const image::ImageReference reference = found->second.reference;
  lock.unlock();
  end(id, answer(reference));
  return true;
}

std::size_t ScriptedImageResolver::started() const {
  MutexLock lock(mutex_);
  return started_;
}

std::size_t ScriptedImageResolver::open_max() const {
  MutexLock lock(mutex_);
  return open_max_;
}

std::vector<std::string> ScriptedImageResolver::open_images() const {
  MutexLock lock(mutex_);
  std::vector<std::string> images;
  images.reserve(open_.size());
  for (const auto& [id, lookup] : open_) images.push_back(lookup.reference.normalised());
  return images;
}

void ScriptedImageResolver::end(std::uint64_t id, Result<registry::Resolution> result) {
  MutexLock lock(mutex_);
  auto node = open_.extract(id);
  changed_.notify_all();
  lock.unlock();
  // Whoever came first has ended it. The stop callback is destroyed outside the lock, since that
  // waits for one that is running elsewhere.
  if (!node.empty()) node.mapped().done(std::move(result));
}

}  // namespace windlass::resolver

// ScriptedImageResolver: an ImageResolver whose answers a test gives, one by one.
//
// A lookup stays open until the test answers it or its stop token is used. Answers are delivered by
// the thread that gives them.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "windlass/base/mutex.h"
#include "windlass/registry/image_resolver.h"

namespace windlass::resolver {

// The Resolution that tests give for a reference: the digest is that of its normalised name.
registry::Resolution resolution_for(const image::ImageReference& reference);

class ScriptedImageResolver final : public registry::ImageResolver {
 public:
  enum class OnStop {
    kCancels,  // a stop request ends the lookup with kCancelled, in the thread that makes it
    kIgnored,  // only the test ends it
  };

  explicit ScriptedImageResolver(OnStop on_stop = OnStop::kCancels) : on_stop_(on_stop) {}

  // No lookup may be open any more.
  ~ScriptedImageResolver() override;

  void resolve(const image::ImageReference& reference, const registry::LookupOptions& options,
               std::stop_token stop, registry::LookupCallback done) override EXCLUDES(mutex_);

  // Answers every later lookup inside its resolve() call.
  void answer_at_once(
      std::function<Result<registry::Resolution>(const image::ImageReference&)> answer)
      EXCLUDES(mutex_);

  // Blocks until `count` lookups have been started, counted from the beginning.
  void await_started(std::size_t count) EXCLUDES(mutex_);
  // Blocks until `count` lookups are open.
  void await_open(std::size_t count) EXCLUDES(mutex_);

  // Ends the oldest open lookup of `image`, which there has to be; the short form finds the digest.
  void answer(const std::string& image, Result<registry::Resolution> result) EXCLUDES(mutex_);
  void answer(const std::string& image);

  // Ends the `index`th open lookup, counted from the oldest, with what `answer` says of it. False
  // when there are not so many.
  bool answer_nth(
      std::size_t index,
      const std::function<Result<registry::Resolution>(const image::ImageReference&)>& answer)
      EXCLUDES(mutex_);

  std::size_t started() const EXCLUDES(mutex_);
  std::size_t open_max() const EXCLUDES(mutex_);                  // the most ever open at a time
  std::vector<std::string> open_images() const EXCLUDES(mutex_);  // normalised, the oldest first

 private:
  struct Lookup {
    image::ImageReference reference;
    registry::LookupCallback done;
    std::unique_ptr<std::stop_callback<std::function<void()>>> on_stop;
  };

  void end(std::uint64_t id, Result<registry::Resolution> result) EXCLUDES(mutex_);

  const OnStop on_stop_;

  mutable Mutex mutex_;
  CondVar changed_;
  std::uint64_t started_ GUARDED_BY(mutex_) = 0;
  std::size_t open_max_ GUARDED_BY(mutex_) = 0;
  std::map<std::uint64_t, Lookup> open_ GUARDED_BY(mutex_);
  std::function<Result<registry::Resolution>(const image::ImageReference&)> at_once_
      GUARDED_BY(mutex_);
};

}  // namespace windlass::resolver

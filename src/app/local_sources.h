// LocalSources: the ImageResolver that finds digests in files: image layouts and archives. What
// they do not have is asked of another one, if there is one.
//
// A lookup reads files before it returns. Lifetime: `next` outlives it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/mutex.h"
#include "windlass/oci/local_image.h"
#include "windlass/registry/image_resolver.h"

namespace windlass::app {

class LocalSources final : public registry::ImageResolver {
 public:
  // Sources are asked in order. `next` may be null.
  LocalSources(std::vector<oci::LocalSource> sources, registry::ImageResolver* next)
      : sources_(std::move(sources)), next_(next) {}

  void resolve(const image::ImageReference& reference, const registry::LookupOptions& options,
               std::stop_token stop, registry::LookupCallback done) override;

  // Whether the files are why an image, by its normalised name, was not found: they are broken.
  bool are_broken_for(const std::string& image) const EXCLUDES(mutex_);

 private:
  const std::vector<oci::LocalSource> sources_;
  registry::ImageResolver* const next_;
  mutable Mutex mutex_;
  std::set<std::string> broken_for_ GUARDED_BY(mutex_);
};

// kInvalid, naming the option, when the file or folder is not there or not of its kind, or has no
// image of the name that is given with it.
Result<void> check_source(const oci::LocalSource& source, std::string_view written,
                          const std::optional<oci::Platform>& platform);

// kInvalid, naming the option, when the file or folder is not there.
Result<void> check_that_source_exists(const oci::LocalSource& source, std::string_view written);

// Asks another one for the image of one platform, and not for the index of all.
class ForPlatform final : public registry::ImageResolver {
 public:
  ForPlatform(oci::Platform platform, registry::ImageResolver& next)
      : platform_(std::move(platform)), next_(next) {}

  void resolve(const image::ImageReference& reference, const registry::LookupOptions& options,
               std::stop_token stop, registry::LookupCallback done) override;

 private:
  const oci::Platform platform_;
  registry::ImageResolver& next_;
};

}  // namespace windlass::app

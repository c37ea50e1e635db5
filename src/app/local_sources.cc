#include "local_sources.h"

#include <string>
#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

// What an image may be called in a layout or an archive: as it was written, with every default, or
// by its tag alone.
std::vector<std::string> names_of(const image::ImageReference& reference) {
  std::vector<std::string> names = {reference.written(), reference.normalised()};
  if (reference.tag()) names.push_back(*reference.tag());
  return names;
}

}  // namespace

void LocalSources::resolve(const image::ImageReference& reference,
                           const registry::LookupOptions& options, std::stop_token stop,
                           registry::LookupCallback done) {
  if (reference.is_pinned()) {
    return done(registry::Resolution{
        .reference = reference, .digest = *reference.digest(), .asked = false});
  }
  for (const oci::LocalSource& source : sources_) {
    std::vector<std::string> names = names_of(reference);
    if (!source.name.empty()) names = {source.name};
    for (const std::string& name : names) {
      oci::LocalSource named = source;
      named.name = name;
      auto found = oci::find_local_image(named, options.platform);
      if (found) {
        return done(registry::Resolution{.reference = reference,
                                         .digest = found->digest,
                                         .media_type = found->media_type,
                                         .size = found->size,
                                         .credential_source = "no login: a file"});
      }
      if (found.error().code != ErrorCode::kNotFound) {
        return done(fail(std::move(found.error()), printable(reference.written())));
      }
    }
  }
  if (next_ != nullptr) return next_->resolve(reference, options, std::move(stop), std::move(done));
  done(fail(ErrorCode::kNotFound,
            format("{}: not in the files of --source, and no registry is to be asked; add "
                   "--source registry",
                   printable(reference.written()))));
}

void ForPlatform::resolve(const image::ImageReference& reference,
                          const registry::LookupOptions& options, std::stop_token stop,
                          registry::LookupCallback done) {
  registry::LookupOptions with_platform = options;
  with_platform.platform = platform_;
  next_.resolve(reference, with_platform, std::move(stop), std::move(done));
}

}  // namespace windlass::app

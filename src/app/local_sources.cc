#include "local_sources.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

constexpr std::string_view kDockerHub = "docker.io/";
constexpr const char* kNoImage = "windlass.invalid/no-image";
constexpr std::string_view kDockerHubLibrary = "docker.io/library/";

// What an image may be called in a layout or an archive: with every default, or as people write it.
std::vector<std::string> names_of(const image::ImageReference& reference) {
  std::vector<std::string> names = {reference.normalised(), reference.written()};
  for (const std::string_view prefix : {kDockerHubLibrary, kDockerHub}) {
    if (names[0].starts_with(prefix)) names.push_back(names[0].substr(prefix.size()));
  }
  return names;
}

// The names to look for in `source`. One that is given with the source is that of the images whose
// name or tag it is, and of no others: a tag alone would be everybody's.
std::vector<std::string> names_in(const oci::LocalSource& source,
                                  const image::ImageReference& reference) {
  std::vector<std::string> names = names_of(reference);
  if (source.name.empty()) return names;
  const bool is_it =
      source.name == reference.tag() || std::ranges::find(names, source.name) != names.end();
  return is_it ? std::vector{source.name} : std::vector<std::string>();
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
    for (const std::string& name : names_in(source, reference)) {
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
        {
          MutexLock lock(mutex_);
          broken_for_.insert(reference.normalised());
        }
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

bool LocalSources::are_broken_for(const std::string& image) const {
  MutexLock lock(mutex_);
  return broken_for_.contains(image);
}

Result<void> check_that_source_exists(const oci::LocalSource& source, std::string_view written) {
  const bool is_layout = source.kind == oci::LocalSource::Kind::kLayout;
  std::error_code why;
  if (std::filesystem::exists(source.path, why) || why) return {};
  return fail(ErrorCode::kInvalid, format("--source {}: no such {}; check the name",
                                          printable(written), is_layout ? "directory" : "file"));
}

Result<void> check_source(const oci::LocalSource& source, std::string_view written,
                          const std::optional<oci::Platform>& platform) {
  if (auto there = check_that_source_exists(source, written); !there) return there;
  // Whether what it says of itself can be read shows with any name.
  oci::LocalSource asked = source;
  if (asked.name.empty()) asked.name = kNoImage;
  const auto found = oci::find_local_image(asked, platform);
  if (found || (found.error().code == ErrorCode::kNotFound && source.name.empty())) return {};
  return fail(ErrorCode::kInvalid,
              format("--source {}: {}", printable(written), found.error().message));
}

void ForPlatform::resolve(const image::ImageReference& reference,
                          const registry::LookupOptions& options, std::stop_token stop,
                          registry::LookupCallback done) {
  registry::LookupOptions with_platform = options;
  with_platform.platform = platform_;
  next_.resolve(reference, with_platform, std::move(stop), std::move(done));
}

}  // namespace windlass::app

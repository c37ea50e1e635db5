#include "layout.h"

#include <algorithm>
#include <vector>

#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/oci/manifest.h"

namespace windlass::oci {
namespace {

constexpr std::size_t kManifestBytesMax = std::size_t{4} << 20U;
constexpr std::size_t kShownMax = 20;

std::string shown_names(const std::vector<Descriptor>& descriptors) {
  std::string out;
  std::size_t shown = 0;
  for (const Descriptor& descriptor : descriptors) {
    if (descriptor.name.empty() || shown++ == kShownMax) continue;
    out += (out.empty() ? "" : ", ") + printable(descriptor.name, 80);
  }
  return out.empty() ? "none of them has a name" : "there are " + out;
}

// What `name` stands for: usually one entry, or one for each platform.
Result<std::vector<Descriptor>> named(const Manifest& index, const std::string& name) {
  std::vector<Descriptor> found;
  for (const Descriptor& descriptor : index.descriptors) {
    const bool fits = name.empty() || descriptor.name == name;
    if (fits && std::ranges::find(found, descriptor.digest, &Descriptor::digest) == found.end())
      found.push_back(descriptor);
  }
  if (!found.empty()) return found;
  if (name.empty()) return fail(ErrorCode::kNotFound, "there is no image in it");
  return fail(ErrorCode::kNotFound, format("there is no image called {}: {}", quoted(name),
                                           shown_names(index.descriptors)));
}

Result<Manifest> read_blob(Files& files, const Descriptor& descriptor, std::uint64_t& size) {
  const std::string path =
      format("blobs/{}/{}", descriptor.digest.algorithm(), descriptor.digest.hex());
  Result<std::string> bytes = files.read(path, kManifestBytesMax);
  if (!bytes) return fail(ErrorCode::kInvalid, format("{}{}", bytes.error().message, kMakeAgain));
  if (!descriptor.digest.matches(*bytes)) {
    return fail(ErrorCode::kCorrupt,
                format("{} does not have the digest it is called after{}", path, kMakeAgain));
  }
  size = bytes->size();
  Result<Manifest> manifest = parse_manifest(*bytes);
  if (!manifest) return fail(std::move(manifest.error()), path);
  return manifest;
}

}  // namespace

Result<LocalImage> find_in_layout(Files& files, const std::string& name,
                                  const std::optional<Platform>& platform) {
  Result<std::string> bytes = files.read("index.json", kManifestBytesMax);
  if (!bytes) {
    return fail(ErrorCode::kInvalid,
                format("not an OCI image layout: {}{}", bytes.error().message, kMakeAgain));
  }
  const Result<Manifest> index = parse_manifest(*bytes);
  if (!index) {
    return fail(ErrorCode::kInvalid, format("index.json: {}{}", index.error().message, kMakeAgain));
  }
  Result<std::vector<Descriptor>> entries = named(*index, name);
  if (!entries) return fail(std::move(entries.error()));
  if (entries->size() > 1 && !platform) {
    return fail(ErrorCode::kInvalid,
                name.empty()
                    ? "it holds several images, name one: " + shown_names(*entries)
                    : format("it holds several images called {}, name a platform", quoted(name)));
  }
  Result<Descriptor> chosen = entries->size() > 1 ? choose(*entries, *platform) : entries->front();
  if (!chosen) return fail(std::move(chosen.error()));
  std::uint64_t size = 0;
  const Result<Manifest> manifest = read_blob(files, *chosen, size);
  if (!manifest) return fail(manifest.error());
  LocalImage image{.digest = chosen->digest, .media_type = chosen->media_type, .size = size};
  if (!manifest->media_type.empty()) image.media_type = manifest->media_type;
  if (!platform || manifest->kind != Manifest::Kind::kIndex) return image;
  Result<Descriptor> child = choose(manifest->descriptors, *platform);
  if (!child) return fail(std::move(child.error()));
  return LocalImage{.digest = child->digest, .media_type = child->media_type, .size = child->size};
}

}  // namespace windlass::oci

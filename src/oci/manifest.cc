#include "windlass/oci/manifest.h"

#include <algorithm>
#include <boost/json.hpp>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::oci {
namespace {

namespace json = boost::json;

// More than any image has; what is beyond is left out.
constexpr std::size_t kDescriptorsMax = 10'000;
constexpr std::size_t kShownMax = 20;

std::string_view text_member(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

std::optional<Platform> read_platform(const json::object& entry) {
  const json::value* value = entry.if_contains("platform");
  if (value == nullptr || !value->is_object()) return std::nullopt;
  const json::object& object = value->get_object();
  Platform platform{.os = std::string(text_member(object, "os")),
                    .architecture = std::string(text_member(object, "architecture")),
                    .variant = std::string(text_member(object, "variant"))};
  if (platform.os.empty() && platform.architecture.empty()) return std::nullopt;
  return platform;
}

std::string read_name(const json::object& entry) {
  const json::value* annotations = entry.if_contains("annotations");
  if (annotations == nullptr || !annotations->is_object()) return {};
  return std::string(text_member(annotations->get_object(), "org.opencontainers.image.ref.name"));
}

std::optional<Descriptor> read_descriptor(const json::value& value) {
  const json::object* entry = value.if_object();
  if (entry == nullptr) return std::nullopt;
  Result<image::Digest> digest = image::Digest::parse(text_member(*entry, "digest"));
  if (!digest) return std::nullopt;
  json::error_code error;
  const json::value* size = entry->if_contains("size");
  const auto bytes = size == nullptr ? 0 : size->to_number<std::uint64_t>(error);
  return Descriptor{.digest = *std::move(digest),
                    .media_type = to_lower(text_member(*entry, "mediaType")),
                    .size = error ? 0 : bytes,
                    .platform = read_platform(*entry),
                    .name = read_name(*entry)};
}

Manifest::Kind kind_of(const json::object& object, std::string_view type) {
  const json::value* version = object.if_contains("schemaVersion");
  if (version != nullptr && version->is_int64() && version->get_int64() == 1)
    return Manifest::Kind::kSchema1;
  const json::value* entries = object.if_contains("manifests");
  if (entries != nullptr && entries->is_array()) return Manifest::Kind::kIndex;
  return is_index_type(type) ? Manifest::Kind::kIndex : Manifest::Kind::kImage;
}

std::string shown_platforms(const std::vector<Descriptor>& descriptors) {
  std::vector<std::string> names;
  for (const Descriptor& descriptor : descriptors) {
    if (!descriptor.platform || fitness(*descriptor.platform, *descriptor.platform) == 0) continue;
    std::string name = printable(descriptor.platform->normalised().to_string(), 40);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (names.empty()) return "its entries name no platform";
  std::string out = "it is there for ";
  for (std::size_t i = 0; i < std::min(names.size(), kShownMax); ++i)
    out += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kShownMax ? out + ", ..." : out;
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view body) {
  json::error_code error;
  const json::value value = json::parse(body, error);
  if (error || !value.is_object()) return fail(ErrorCode::kInvalid, "a JSON object is expected");
  const json::object& object = value.get_object();
  Manifest manifest;
  manifest.media_type = to_lower(text_member(object, "mediaType"));
  if (!object.contains("schemaVersion") && manifest.media_type.empty())
    return fail(ErrorCode::kInvalid, "it has neither schemaVersion nor mediaType");
  manifest.kind = kind_of(object, manifest.media_type);
  const json::value* entries = object.if_contains("manifests");
  if (entries == nullptr || !entries->is_array()) return manifest;
  for (const json::value& entry : entries->get_array()) {
    if (manifest.descriptors.size() == kDescriptorsMax) break;
    if (auto descriptor = read_descriptor(entry))
      manifest.descriptors.push_back(*std::move(descriptor));
  }
  return manifest;
}

Result<Descriptor> choose(const std::vector<Descriptor>& descriptors, const Platform& platform) {
  const Descriptor* best = nullptr;
  int best_fitness = 0;
  for (const Descriptor& descriptor : descriptors) {
    const int fits = descriptor.platform ? fitness(platform, *descriptor.platform) : 0;
    if (fits <= best_fitness) continue;
    best = &descriptor;
    best_fitness = fits;
  }
  if (best != nullptr) return *best;
  return fail(ErrorCode::kNotFound, format("the image is not there for {}: {}",
                                           platform.to_string(), shown_platforms(descriptors)));
}

bool is_index_type(std::string_view media_type) {
  return media_type == "application/vnd.oci.image.index.v1+json" ||
         media_type == "application/vnd.docker.distribution.manifest.list.v2+json";
}

bool is_image_type(std::string_view media_type) {
  return media_type == "application/vnd.oci.image.manifest.v1+json" ||
         media_type == "application/vnd.docker.distribution.manifest.v2+json";
}

}  // namespace windlass::oci

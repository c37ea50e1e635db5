#include "docker_archive.h"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <map>
#include <vector>

#include "files.h"
#include "tar_reader.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"
#include "windlass/image/image_reference.h"

namespace windlass::oci {
namespace {

namespace json = boost::json;

constexpr std::size_t kJsonBytesMax = std::size_t{4} << 20U;
constexpr std::size_t kLayersMax = 10'000;
constexpr std::size_t kShownMax = 20;
constexpr std::string_view kManifestType = "application/vnd.docker.distribution.manifest.v2+json";

// One image of manifest.json.
struct Entry {
  std::string config;
  std::vector<std::string> names;
  std::vector<std::string> layers;
};

std::vector<std::string> texts(const json::object& object, std::string_view name) {
  std::vector<std::string> out;
  const json::value* value = object.if_contains(name);
  if (value == nullptr || !value->is_array()) return out;
  for (const json::value& item : value->get_array()) {
    if (item.is_string() && out.size() < kLayersMax) out.emplace_back(item.get_string());
  }
  return out;
}

Result<std::vector<Entry>> read_entries(Files& files) {
  Result<std::string> bytes = files.read("manifest.json", kJsonBytesMax);
  if (!bytes) {
    return fail(ErrorCode::kInvalid,
                format("not an archive of docker's: {}{}", bytes.error().message, kMakeAgain));
  }
  json::error_code error;
  const json::value value = json::parse(*bytes, error);
  if (error || !value.is_array())
    return fail(ErrorCode::kInvalid, format("manifest.json: expected a list{}", kMakeAgain));
  std::vector<Entry> entries;
  for (const json::value& item : value.get_array()) {
    const json::object* object = item.if_object();
    const json::value* config = object == nullptr ? nullptr : object->if_contains("Config");
    if (config == nullptr || !config->is_string()) continue;
    entries.push_back({.config = std::string(std::string_view(config->get_string())),
                       .names = texts(*object, "RepoTags"),
                       .layers = texts(*object, "Layers")});
  }
  if (entries.empty()) return fail(ErrorCode::kNotFound, "there is no image in it");
  return entries;
}

std::string shown_names(const std::vector<Entry>& entries) {
  std::string out;
  std::size_t shown = 0;
  for (const Entry& entry : entries) {
    for (const std::string& name : entry.names) {
      if (shown++ < kShownMax) out += (out.empty() ? "" : ", ") + printable(name, 80);
    }
  }
  return out.empty() ? "none of them has a name" : "there are " + out;
}

Result<Entry> named(const std::vector<Entry>& entries, const std::string& name) {
  if (name.empty() && entries.size() == 1) return entries.front();
  if (name.empty()) {
    return fail(ErrorCode::kInvalid, "it holds several images, name one: " + shown_names(entries));
  }
  if (name.starts_with('@')) {
    std::size_t place = entries.size();
    const char* const end = name.data() + name.size();
    const bool is_number = std::from_chars(name.data() + 1, end, place).ptr == end;
    if (is_number && place < entries.size()) return entries[place];
    return fail(ErrorCode::kNotFound,
                format("there is no image {}: it holds {}", quoted(name), entries.size()));
  }
  const auto wanted = image::ImageReference::parse(name);
  if (!wanted) return fail(wanted.error());
  for (const Entry& entry : entries) {
    const bool fits = std::ranges::any_of(entry.names, [&](const std::string& written) {
      return image::ImageReference::parse(written) == wanted;
    });
    if (fits) return entry;
  }
  return fail(ErrorCode::kNotFound,
              format("there is no image called {}: {}", quoted(name), shown_names(entries)));
}

std::vector<std::string> diff_ids(std::string_view config) {
  json::error_code error;
  const json::value value = json::parse(config, error);
  if (error || !value.is_object()) return {};
  const json::value* rootfs = value.get_object().if_contains("rootfs");
  if (rootfs == nullptr || !rootfs->is_object()) return {};
  return texts(rootfs->get_object(), "diff_ids");
}

// "a/../b" as "b": links in archives are written so.
std::string beside(const std::string& path, const std::string& link) {
  const std::size_t slash = path.rfind('/');
  std::vector<std::string> parts;
  std::string_view rest = link;
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  const std::string whole = folder + link;
  rest = whole;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    if (part == ".." && !parts.empty())
      parts.pop_back();
    else if (part != "." && part != ".." && !part.empty())
      parts.emplace_back(part);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : "/") + part;
  return out;
}

// The unpacked sizes of the layers, by path.
Result<std::map<std::string, std::uint64_t>> layer_sizes(const std::string& archive,
                                                         const std::vector<std::string>& layers) {
  std::map<std::string, std::uint64_t> sizes;
  std::map<std::string, std::string> links;
  TarReader tar(archive);
  for (;;) {
    Result<bool> has_next = tar.next();
    if (!has_next) return fail(std::move(has_next.error()));
    if (!*has_next) break;
    // A link may lead to any file that looks like a layer.
    const bool is_wanted = std::ranges::find(layers, tar.name()) != layers.end();
    if (!is_wanted) continue;
    if (!tar.link().empty()) {
      links[tar.name()] = beside(tar.name(), tar.link());
    } else if (tar.is_file()) {
      Result<std::uint64_t> size = tar.unpacked_size();
      if (!size) return fail(std::move(size.error()));
      sizes[tar.name()] = *size;
    }
  }
  for (const auto& [name, target] : links) {
    if (const auto found = sizes.find(target); found != sizes.end()) sizes[name] = found->second;
  }
  return sizes;
}

}  // namespace

Result<LocalImage> find_in_docker_archive(const std::string& archive, const std::string& name) {
  ArchiveFiles files(archive);
  const Result<std::vector<Entry>> entries = read_entries(files);
  if (!entries) return fail(entries.error());
  const Result<Entry> entry = named(*entries, name);
  if (!entry) return fail(entry.error());
  const Result<std::string> config = files.read(entry->config, kJsonBytesMax);
  if (!config) return fail(config.error());
  const std::vector<std::string> ids = diff_ids(*config);
  if (ids.size() != entry->layers.size()) {
    return fail(ErrorCode::kInvalid,
                format("{} names {} layers and manifest.json {}{}", printable(entry->config),
                       ids.size(), entry->layers.size(), kMakeAgain));
  }
  const auto sizes = layer_sizes(archive, entry->layers);
  if (!sizes) return fail(sizes.error());

  // The very bytes that skopeo makes: members in this order, no blanks.
  json::array layers;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto size = sizes->find(entry->layers[i]);
    if (size == sizes->end()) {
      return fail(ErrorCode::kInvalid,
                  format("the layer {} is not there{}", printable(entry->layers[i]), kMakeAgain));
    }
    const auto digest = image::Digest::parse(ids[i]);
    if (!digest) return fail(digest.error(), printable(entry->config));
    layers.push_back({{"mediaType", "application/vnd.docker.image.rootfs.diff.tar.gzip"},
                      {"size", size->second},
                      {"digest", digest->to_string()}});
  }
  const json::object manifest = {
      {"schemaVersion", 2},
      {"mediaType", kManifestType},
      {"config", json::object{{"mediaType", "application/vnd.docker.container.image.v1+json"},
                              {"size", config->size()},
                              {"digest", image::Digest::sha256_of(*config).to_string()}}},
      {"layers", std::move(layers)}};
  const std::string bytes = json::serialize(manifest);
  return LocalImage{.digest = image::Digest::sha256_of(bytes),
                    .media_type = std::string(kManifestType),
                    .size = bytes.size()};
}

}  // namespace windlass::oci

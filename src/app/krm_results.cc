#include "krm_results.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <string>
#include <vector>

#include "windlass/base/format.h"
#include "windlass/manifest/added_items.h"

namespace windlass::app {
namespace {

namespace json = boost::json;

constexpr std::string_view kItems = "items[";

// The item that a path such as "items[3].spec.image" leads into, and the rest of the path.
struct ItemPath {
  const YamlValue* item = nullptr;
  std::string_view rest;
};

ItemPath item_of(const YamlValue& resources, std::string_view path) {
  const YamlValue* items = resources.find("items");
  const std::size_t end = path.find("].");
  if (items == nullptr || !path.starts_with(kItems) || end == std::string_view::npos) return {};
  std::size_t index = 0;
  std::from_chars(path.data() + kItems.size(), path.data() + end, index);
  if (index >= items->items.size()) return {};
  return {.item = &items->items[index], .rest = path.substr(end + 2)};
}

// Orchestrators note the file of an item under one of two prefixes.
std::string_view annotation(const YamlValue& item, std::string_view name) {
  for (const std::string_view prefix :
       {"internal.config.kubernetes.io/", "config.kubernetes.io/"}) {
    const std::string key = format("{}{}", prefix, name);
    const std::string_view value = item.text_at({"metadata", "annotations", key});
    if (!value.empty()) return value;
  }
  return {};
}

json::object resource_of(const YamlValue& item) {
  json::object resource = {{"apiVersion", item.text_at({"apiVersion"})},
                           {"kind", item.text_at({"kind"})},
                           {"name", item.text_at({"metadata", "name"})}};
  const std::string_view name_space = item.text_at({"metadata", "namespace"});
  if (!name_space.empty()) resource["namespace"] = name_space;
  return resource;
}

json::object result_of(const PinnedImage& image, const YamlValue& resources) {
  json::object result;
  json::object field = {{"path", image.finding.path}, {"currentValue", image.finding.text}};
  if (image.error) {
    result = {{"message", image.error->message}, {"severity", "error"}};
  } else if (image.status == PinStatus::kNotWritten) {
    result = {{"message", format("{} stays as it was: {}", image.finding.text, image.reason)},
              {"severity", "warning"}};
  } else if (image.status == PinStatus::kUnpinnable) {
    result = {{"message", format("cannot be pinned: {}", image.reason)}, {"severity", "warning"}};
  } else {
    result = {{"message", format("pinned {}", image.finding.text)}, {"severity", "info"}};
    field["proposedValue"] = image.pinned_text;
  }
  // Only the first document is the list.
  const ItemPath at =
      image.finding.document == 1 ? item_of(resources, image.finding.path) : ItemPath();
  if (at.item != nullptr) {
    field["path"] = at.rest;
    result["resourceRef"] = resource_of(*at.item);
    json::object file;
    if (const auto path = annotation(*at.item, "path"); !path.empty()) file["path"] = path;
    std::size_t index = 0;
    const std::string_view text = annotation(*at.item, "index");
    if (!text.empty() &&
        std::from_chars(text.data(), text.data() + text.size(), index).ec == std::errc()) {
      file["index"] = index;
    }
    if (!file.empty()) result["file"] = std::move(file);
  }
  result["field"] = std::move(field);
  return result;
}

}  // namespace

Result<std::string> with_results(const std::string& list, const YamlValue& resources,
                                 std::span<const PinnedImage> images) {
  std::vector<std::string> results;
  for (const PinnedImage& image : images) {
    const bool is_told = image.error || image.is_edited() ||
                         image.status == PinStatus::kNotWritten ||
                         image.status == PinStatus::kUnpinnable;
    if (is_told) results.push_back(json::serialize(result_of(image, resources)));
  }
  if (results.empty()) return list;
  return manifest::with_items_added("<stdin>", list, "results", results);
}

}  // namespace windlass::app

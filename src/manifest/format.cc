#include "windlass/manifest/format.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "file_ending.h"
#include "windlass/base/text.h"

namespace windlass::manifest {
namespace {

constexpr std::pair<Format, std::string_view> kNames[] = {
    {Format::kKubernetes, "kubernetes"},  {Format::kKustomization, "kustomization"},
    {Format::kHelmValues, "helm-values"}, {Format::kCompose, "compose"},
    {Format::kWorkflow, "workflow"},      {Format::kDockerfile, "dockerfile"},
};

// Dockerfile, Dockerfile.dev, Dockerfile-dev, Dockerfile2, web.Dockerfile
bool is_dockerfile(std::string_view name) {
  constexpr std::array<std::string_view, 2> kStems = {"dockerfile", "containerfile"};
  return std::any_of(kStems.begin(), kStems.end(), [&](std::string_view stem) {
    if (name == stem || name.ends_with("." + std::string(stem))) return true;
    if (!name.starts_with(stem) || has_data_ending(name) || name.ends_with(".dockerignore"))
      return false;
    return std::string_view(".-_0123456789").contains(name[stem.size()]);
  });
}

// compose.yaml, docker-compose.override.yml, compose-dev.yaml
bool is_compose(std::string_view name) {
  for (const std::string_view stem : {"docker-compose", "compose", "podman-compose"}) {
    if (name.starts_with(stem) && name.size() > stem.size() &&
        std::string_view(".-_").contains(name[stem.size()]))
      return true;
  }
  return false;
}

// values.yaml, values-prod.yaml, shop.values.yaml
bool is_helm_values(std::string_view stem) {
  return stem == "values" || stem.starts_with("values-") || stem.starts_with("values.") ||
         stem.starts_with("values_") || stem.ends_with("-values") || stem.ends_with(".values") ||
         stem.ends_with("_values");
}

}  // namespace

std::string_view to_string(Format format) {
  const auto* const found = std::find_if(std::begin(kNames), std::end(kNames),
                                         [&](const auto& entry) { return entry.first == format; });
  return found->second;
}

std::optional<Format> parse_format(std::string_view name) {
  for (const auto& [format, known] : kNames) {
    if (known == name) return format;
  }
  return std::nullopt;
}

std::optional<Format> format_of_name(std::string_view file_name) {
  const std::string path = to_lower(file_name);
  const std::string name = path.substr(path.rfind('/') + 1);
  if (is_dockerfile(name)) return Format::kDockerfile;
  if (name == "kustomization") return Format::kKustomization;
  if (!has_yaml_ending(name)) return std::nullopt;
  const std::string stem = name.substr(0, name.rfind('.'));
  if (stem == "kustomization") return Format::kKustomization;
  if (is_compose(name)) return Format::kCompose;
  if (stem == "action" || path.contains(".github/workflows/") ||
      path.contains(".gitea/workflows/") || path.contains(".forgejo/workflows/"))
    return Format::kWorkflow;
  if (is_helm_values(stem)) return Format::kHelmValues;
  return std::nullopt;
}

bool may_name_images(std::string_view file_name) {
  const std::string lower = to_lower(file_name);
  return has_data_ending(lower) || format_of_name(file_name).has_value();
}

}  // namespace windlass::manifest

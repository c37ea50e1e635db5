// Format: the kinds of files that name images, told by name or by content.
//
// Pure functions.
#pragma once

#include <optional>
#include <string_view>

namespace windlass::manifest {

enum class Format {
  kKubernetes,     // objects with apiVersion and kind, as YAML or JSON
  kKustomization,  // images: of kustomize and of Flux
  kHelmValues,     // registry, repository, tag and digest under keys of their own
  kCompose,
  kWorkflow,  // GitHub: jobs, and the action.yml of a container action
  kDockerfile,
};

// "kubernetes", "kustomization", "helm-values", "compose", "workflow", "dockerfile"
std::string_view to_string(Format format);
std::optional<Format> parse_format(std::string_view name);

// What the name of a file (with or without folders) says; nullopt where the content decides.
std::optional<Format> format_of_name(std::string_view file_name);

// True for names that are worth reading when a whole folder is gone through: YAML, JSON, and what
// format_of_name() knows.
bool may_name_images(std::string_view file_name);

}  // namespace windlass::manifest

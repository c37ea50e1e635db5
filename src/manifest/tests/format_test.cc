#include "windlass/manifest/format.h"

#include <gtest/gtest.h>

#include <string>

namespace windlass::manifest {
namespace {

TEST(Format, IsToldByTheNameOfTheFile) {
  const std::pair<const char*, const char*> table[] = {
      {"Dockerfile", "dockerfile"},
      {"build/Dockerfile.prod", "dockerfile"},
      {"web.Dockerfile", "dockerfile"},
      {"Dockerfile-dev", "dockerfile"},
      {"Dockerfile_prod", "dockerfile"},
      {"Dockerfile2", "dockerfile"},
      {"Dockerfile-lint.yaml", ""},
      {"Dockerfiles", ""},
      {"Containerfile", "dockerfile"},
      {"Dockerfile.dockerignore", ""},
      {"Dockerfile-dev.dockerignore", ""},
      {"compose.yaml", "compose"},
      {"deploy/docker-compose.override.yml", "compose"},
      {"compose-dev.yaml", "compose"},
      {"composer.yaml", ""},
      {"compose.json", ""},
      {"kustomization.yaml", "kustomization"},
      {"overlays/prod/Kustomization", "kustomization"},
      {"values.yaml", "helm-values"},
      {"chart/values-prod.yml", "helm-values"},
      {"prod.values.yaml", "helm-values"},
      {"myvalues.yaml", ""},
      {".github/workflows/ci.yml", "workflow"},
      {"repo/.github/workflows/ci.yaml", "workflow"},
      {"action.yml", "workflow"},
      {"deploy.yaml", ""},
      {"list.json", ""},
  };
  for (const auto& [name, expected] : table) {
    const auto format = format_of_name(name);
    EXPECT_EQ(format ? to_string(*format) : "", expected) << name;
  }
}

TEST(Format, NamesAreReadBack) {
  for (const Format format : {Format::kKubernetes, Format::kKustomization, Format::kHelmValues,
                              Format::kCompose, Format::kWorkflow, Format::kDockerfile})
    EXPECT_EQ(parse_format(to_string(format)), format);
  EXPECT_EQ(parse_format("Dockerfile"), std::nullopt);
}

TEST(Format, OfAFolderOnlySomeFilesAreWorthReading) {
  for (const char* name : {"a.yaml", "a.YML", "x/y.json", "Dockerfile", "kustomization"})
    EXPECT_TRUE(may_name_images(name)) << name;
  for (const char* name : {"README.md", "main.go", "yaml", "Makefile", "a.yaml.bak"})
    EXPECT_FALSE(may_name_images(name)) << name;
}

}  // namespace
}  // namespace windlass::manifest

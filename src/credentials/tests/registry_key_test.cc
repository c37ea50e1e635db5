#include "registry_key.h"

#include <gtest/gtest.h>

#include "windlass/image/image_reference.h"

namespace windlass::credentials {
namespace {

bool covers(std::string_view key, std::string_view image) {
  const RegistryKey parsed = parse_registry_key(key);
  const auto reference = image::ImageReference::parse(image);
  return parsed.host == reference->registry() && is_below(reference->repository(), parsed.path);
}

TEST(RegistryKey, EverySpellingOfAHostCoversIt) {
  for (const std::string_view key :
       {"127.0.0.1:5000", "http://127.0.0.1:5000", "https://127.0.0.1:5000/",
        "https://127.0.0.1:5000/v2/", "http://127.0.0.1:5000/v1/", "HTTPS://127.0.0.1:5000/v2"})
    EXPECT_TRUE(covers(key, "127.0.0.1:5000/team/app")) << key;
  EXPECT_TRUE(covers("Registry.TEST", "registry.test/app"));
  EXPECT_TRUE(covers("[::1]:5000", "[::1]:5000/app"));
}

TEST(RegistryKey, OtherHostsAreNotCovered) {
  for (const std::string_view key : {"127.0.0.1", "127.0.0.1:500", "127.0.0.1:50000",
                                     "x127.0.0.1:5000", "", "https://", "/", "5000"})
    EXPECT_FALSE(covers(key, "127.0.0.1:5000/team/app")) << key;
}

TEST(RegistryKey, PathEndsAtABoundary) {
  const std::tuple<std::string_view, std::string_view, bool> table[] = {
      {"quay.io/team", "quay.io/team/app", true},
      {"quay.io/team/", "quay.io/team/app", true},
      {"https://quay.io/v2/team", "quay.io/team/app", true},
      {"quay.io/team/app", "quay.io/team/app", true},
      {"quay.io/team", "quay.io/teammate/app", false},
      {"quay.io/team/app/x", "quay.io/team/app", false},
      {"quay.io/v2x", "quay.io/team", false},
  };
  for (const auto& [key, image, expected] : table) EXPECT_EQ(covers(key, image), expected) << key;
}

TEST(RegistryKey, AllNamesOfDockerHubAreOne) {
  for (const std::string_view key :
       {"https://index.docker.io/v1/", "index.docker.io", "docker.io", "registry-1.docker.io",
        "https://registry-1.docker.io/v2/", "https://index.docker.io/v2/"}) {
    EXPECT_TRUE(covers(key, "nginx")) << key;
    EXPECT_FALSE(covers(key, "docker.io.test/nginx")) << key;
  }
  EXPECT_TRUE(covers("docker.io/library", "nginx"));
  EXPECT_FALSE(covers("docker.io/team", "nginx"));
}

TEST(RegistryKey, HelpersAreAskedForTheHostAsItStands) {
  EXPECT_EQ(helper_key("127.0.0.1:5000"), "127.0.0.1:5000");
  EXPECT_EQ(helper_key("docker.io"), "https://index.docker.io/v1/");
}

}  // namespace
}  // namespace windlass::credentials

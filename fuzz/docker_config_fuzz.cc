// Docker's config.json: reading ends, and no error shows what stands in the file as a password.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "windlass/base/check.h"
#include "windlass/credentials/docker_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  static const image::ImageReference images[] = {
      *image::ImageReference::parse("nginx"),
      *image::ImageReference::parse("registry.test:5000/team/app:v1")};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = credentials::DockerConfig::parse(text, "config.json");
  if (!config) {
    WINDLASS_CHECK(config.error().code == ErrorCode::kInvalid);
    return 0;
  }
  for (const image::ImageReference& image : images) {
    for (const credentials::Credential& login : config->find(image).candidates) {
      const std::string_view secret = login.secret().reveal();
      if (secret.size() < 16 || login.user().find(secret) != std::string::npos) continue;
      WINDLASS_CHECK(login.shown().find(secret) == std::string::npos);
    }
    config->helper_for(image);
  }
  return 0;
}

// What kubelet credential provider plugins need: their configuration (YAML or JSON) and their
// answers. Reading ends; a provider that is kept can be run.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "plugin_protocol.h"
#include "windlass/base/check.h"
#include "windlass/credentials/credential_providers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  static const auto image = *image::ImageReference::parse("registry.test:5000/team/app:v1");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto config = credentials::CredentialProviders::parse(text, "providers.yaml")) {
    for (const credentials::CredentialProvider& provider : config->providers) {
      WINDLASS_CHECK(!provider.name.empty() && provider.name.find('/') == std::string::npos);
      WINDLASS_CHECK(!provider.match_images.empty());
      WINDLASS_CHECK(provider.default_cache_duration >= Duration::zero());
      for (const auto& pattern : provider.match_images) {
        pattern.covers(image);
        const auto again = credentials::ImagePattern::parse("https://" + pattern.text());
        WINDLASS_CHECK(!again || again->covers(image) == pattern.covers(image));
      }
    }
  } else {
    WINDLASS_CHECK(config.error().code == ErrorCode::kInvalid);
  }
  const auto answer = credentials::read_plugin_answer(text, "credentialprovider.kubelet.k8s.io/v1",
                                                      "credential provider p");
  if (answer) answer->logins.find(image);
  return 0;
}

// Pull secrets: reading ends, and what is said about bad entries shows no login.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "windlass/base/check.h"
#include "windlass/credentials/pull_secret.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  static const image::ImageReference images[] = {
      *image::ImageReference::parse("nginx"),
      *image::ImageReference::parse("registry.test:5000/team/app:v1")};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto& [type, name] : {std::pair{"kubernetes.io/dockerconfigjson", ".dockerconfigjson"},
                                   std::pair{"kubernetes.io/dockercfg", ".dockercfg"}}) {
    credentials::Keyring keyring;
    const auto problems = credentials::add_pull_secret(
        {.source = "secret", .type = type, .data = {{name, credentials::Secret(text)}}}, keyring);
    for (const std::string& problem : problems) WINDLASS_CHECK(problem.starts_with("secret: "));
    for (const image::ImageReference& image : images) {
      for (const credentials::Credential& login : keyring.find(image).candidates)
        WINDLASS_CHECK(!login.is_anonymous());
    }
  }
  return 0;
}

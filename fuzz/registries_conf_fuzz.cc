// Files of registries.conf: any text is read, its problems are one line each, and what is read
// answers for any image with an endpoint or an error.
#include <cstddef>
#include <cstdint>
#include <string>

#include "windlass/base/check.h"
#include "windlass/registries_conf/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  registries_conf::Loaded loaded;
  registries_conf::read(text, "fuzz.conf", loaded);
  for (const Error& problem : loaded.problems) {
    WINDLASS_CHECK(problem.code == ErrorCode::kInvalid);
    WINDLASS_CHECK(problem.message.find_first_of("\n\x1b") == std::string::npos);
    WINDLASS_CHECK(problem.message.size() < 2000);
  }
  static const auto images = [] {
    std::vector<image::ImageReference> out;
    for (const char* name : {"nginx", "registry.test/team/app:v1", "eu.corp.test:5000/app:v1",
                             "a.test/b@sha256:"
                             "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"})
      out.push_back(image::ImageReference::parse(name).value());
    return out;
  }();
  for (const image::ImageReference& image : images) {
    const auto endpoints = loaded.registries.endpoints_of(image);
    if (!endpoints) {
      WINDLASS_CHECK(endpoints.error().message.find_first_of("\n\x1b") == std::string::npos);
      continue;
    }
    WINDLASS_CHECK(!endpoints->empty() && !endpoints->back().is_mirror);
    for (const registries_conf::Endpoint& endpoint : *endpoints)
      WINDLASS_CHECK(endpoint.reference.lookup_target() == image.lookup_target());
    static_cast<void>(loaded.registries.expand(image));
  }
  return 0;
}

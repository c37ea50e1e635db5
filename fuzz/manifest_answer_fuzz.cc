// Answers about manifests: a digest is that of the bytes, and what is shown of a body is one line.
#include <cstddef>
#include <cstdint>
#include <string>

#include "answer.h"
#include "windlass/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace windlass;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const http::Response answer{
      .status = 200, .headers = {{"Content-Type", "application/json"}}, .body = text};
  const auto manifest = registry::read_get(answer);
  if (manifest) {
    WINDLASS_CHECK(manifest->digest == image::Digest::sha256_of(text));
    const auto child = registry::choose_platform(answer, *manifest, {"linux", "amd64", ""});
    // An index offers nothing that its own text does not name.
    if (child && child->digest != manifest->digest)
      WINDLASS_CHECK(text.find(child->digest.hex()) != std::string::npos || text.contains('\\'));
    if (!child) WINDLASS_CHECK(child.error().message.find_first_of("\n\x1b") == std::string::npos);
  }

  const std::string first_line = text.substr(0, text.find('\n'));
  const http::Response refusal{.status = 429,
                               .headers = {{"Retry-After", first_line},
                                           {"Date", "Thu, 01 Jan 2026 10:01:00 GMT"},
                                           {"Docker-Content-Digest", first_line},
                                           {"RateLimit-Limit", first_line},
                                           {"RateLimit-Remaining", first_line},
                                           {"Content-Type", first_line}},
                               .body = text};
  const std::string shown = registry::describe_status(refusal).message;
  WINDLASS_CHECK(shown.find('\n') == std::string::npos && shown.find('\x1b') == std::string::npos);
  WINDLASS_CHECK(shown.size() < 4000);
  registry::read_head(refusal);
  registry::rate_limit(refusal);
  return 0;
}

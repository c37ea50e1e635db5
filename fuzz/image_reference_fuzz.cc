// Any text is a reference or an error; a reference keeps its meaning through every way to write it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "windlass/base/check.h"
#include "windlass/image/image_reference.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using windlass::image::ImageReference;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto reference = ImageReference::parse(text);
  if (!reference) {
    WINDLASS_CHECK(reference.error().code == windlass::ErrorCode::kInvalid);
    return 0;
  }
  WINDLASS_CHECK(reference->written() == text);
  WINDLASS_CHECK(ImageReference::parse(reference->normalised()) == reference);
  const auto digest = windlass::image::Digest::sha256_of(text);
  const auto pinned = ImageReference::parse(reference->pinned_text(digest));
  WINDLASS_CHECK(pinned && pinned->digest() == digest);
  WINDLASS_CHECK(pinned->repository() == reference->repository());
  return 0;
}

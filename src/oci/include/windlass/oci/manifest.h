// What a manifest or an image index says of itself, read as leniently as real registries need.
//
// Pure functions and values. Nothing is verified but the form: whether bytes have the digest they
// should have is the caller's to ask.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/image/digest.h"
#include "windlass/oci/platform.h"

namespace windlass::oci {

// One entry of an index: what it points at.
struct Descriptor {
  image::Digest digest;
  std::string media_type;  // lower case; may be empty
  std::uint64_t size = 0;
  std::optional<Platform> platform;
  std::string name;  // as image layouts name their entries; may be empty
};

struct Manifest {
  enum class Kind { kImage, kIndex, kSchema1 };

  Kind kind = Kind::kImage;
  std::string media_type;               // from the document; lower case; may be empty
  std::vector<Descriptor> descriptors;  // of an index; entries that make no sense are left out
};

// kInvalid when `body` is no manifest. The kind is told by the document's shape: the type it names
// itself, or was sent with, may be missing or wrong.
Result<Manifest> parse_manifest(std::string_view body);

// The entry of an index that fits `platform` best, the first of equals. kNotFound lists the
// platforms that are there.
Result<Descriptor> choose(const std::vector<Descriptor>& descriptors, const Platform& platform);

// Whether a type, in lower case, is one of an index, or of a manifest of one image.
bool is_index_type(std::string_view media_type);
bool is_image_type(std::string_view media_type);

}  // namespace windlass::oci

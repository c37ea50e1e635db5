// Images that lie in files: their digests by name, without a network.
//
// Written as skopeo writes them: "oci:FOLDER[:NAME]" for an OCI image layout,
// "oci-archive:FILE[:NAME]" for one in a tar file, "docker-archive:FILE[:NAME]" for what `docker
// save` and `podman save` write. Tar files may be compressed.
//
// The functions read files and take the time that this takes; files that change meanwhile are no
// danger but may give an error. Nothing is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "windlass/base/result.h"
#include "windlass/image/digest.h"
#include "windlass/oci/platform.h"

namespace windlass::oci {

struct LocalSource {
  enum class Kind { kLayout, kLayoutArchive, kDockerArchive };

  Kind kind = Kind::kLayout;
  std::string path;
  std::string name;  // of the image in there; "" where there is only one

  // Whether `text` is meant to be one: it starts with a known "word:".
  static bool is_one(std::string_view text);

  // kInvalid when it names no file. The path ends at the first colon.
  static Result<LocalSource> parse(std::string_view text);
};

struct LocalImage {
  image::Digest digest;
  std::string media_type;  // may be empty
  std::uint64_t size = 0;  // bytes of the manifest
};

// The digest that `source` names: of the index for an image of several platforms, unless `platform`
// is given. Manifests are hashed: kCorrupt when one has not the digest it should have. kNotFound
// lists what is there; kInvalid for files of another form, or with parts missing. An archive of
// docker's holds no manifest: the digest is that of the one which skopeo makes of it, layers not
// compressed.
Result<LocalImage> find_local_image(const LocalSource& source,
                                    const std::optional<Platform>& platform = std::nullopt);

}  // namespace windlass::oci

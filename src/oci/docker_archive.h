// Finding an image in what `docker save` writes: a tar file with a manifest.json of its own form.
#pragma once

#include "windlass/oci/local_image.h"

namespace windlass::oci {

// See find_local_image(). `name` is a reference, or "@N" for the Nth image, from 0.
Result<LocalImage> find_in_docker_archive(const std::string& archive, const std::string& name);

}  // namespace windlass::oci

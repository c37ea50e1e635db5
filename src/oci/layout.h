// Finding an image in an OCI image layout.
#pragma once

#include "files.h"
#include "windlass/oci/local_image.h"

namespace windlass::oci {

// See find_local_image().
Result<LocalImage> find_in_layout(Files& files, const std::string& name,
                                  const std::optional<Platform>& platform);

}  // namespace windlass::oci

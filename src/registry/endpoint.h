// Where a registry is asked.
#pragma once

#include "windlass/base/result.h"
#include "windlass/http/url.h"
#include "windlass/image/image_reference.h"
#include "windlass/registry/registry_client.h"

namespace windlass::registry {

// "https://HOST/v2/REPOSITORY/manifests/TARGET". Docker Hub is asked at its own host; plain http is
// used for loopback and where `options` say so. kInvalid for a port that cannot be.
Result<http::Url> manifest_url(const image::ImageReference& reference,
                               const RegistryOptions& options);

// True when `url` is https, or its host may be asked without.
bool may_be_asked(const http::Url& url, const RegistryOptions& options);

}  // namespace windlass::registry

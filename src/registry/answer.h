// What a registry's answer about a manifest means. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "windlass/base/result.h"
#include "windlass/http/message.h"
#include "windlass/image/digest.h"
#include "windlass/oci/platform.h"
#include "windlass/registry/image_resolver.h"

namespace windlass::registry {

struct Manifest {
  image::Digest digest;
  std::string media_type;  // lower case, without parameters; may be empty
  std::optional<std::uint64_t> size;
};

// The Accept header of every manifest request. All four kinds, for otherwise registries say 404,
// convert what they have, or pick one platform.
inline constexpr std::string_view kAcceptedTypes =
    "application/vnd.oci.image.index.v1+json, "
    "application/vnd.docker.distribution.manifest.list.v2+json, "
    "application/vnd.oci.image.manifest.v1+json, "
    "application/vnd.docker.distribution.manifest.v2+json";

// Reads an answer to HEAD. Nothing when it does not tell, and GET might: some registries know no
// HEAD, or leave the digest out.
std::optional<Result<Manifest>> read_head(const http::Response& response);

// Reads an answer to GET. The digest is computed from the body; what a header says of it does not
// matter.
Result<Manifest> read_get(const http::Response& response);

// The image for `platform` in what read_get() took for a manifest: the index's entry, or `manifest`
// itself when it is no index. kNotFound lists the platforms that are there.
Result<Manifest> choose_platform(const http::Response& response, Manifest manifest,
                                 const oci::Platform& platform);

// Docker Hub's ratelimit headers: "100;w=21600".
std::optional<RateLimit> rate_limit(const http::Response& response);

// What a status that is not 200 asks of us. The message says what was answered, in the registry's
// own words where it has some.
Error describe_status(const http::Response& response);

// The registry's own words, one short printable line; "" when there are none.
std::string registry_message(const http::Response& response);

// How long the server wants to be left alone: seconds, or a date compared with the answer's own.
std::optional<Duration> retry_after(const http::Response& response);

bool is_redirect(int status);

}  // namespace windlass::registry

// ImageResolver: asks an image's registry which digest its tag means now.
//
// One lookup is one call, with its own retries inside its own deadline. Nothing is remembered
// between lookups but connections, challenges and tokens; sharing lookups and caching digests is
// the resolver module's work.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "windlass/base/result.h"
#include "windlass/base/time.h"
#include "windlass/image/image_reference.h"

namespace windlass::credentials {
class Keychain;
}

namespace windlass::registry {

// What a registry said about one reference.
struct Resolution {
  image::ImageReference reference;    // as written
  image::Digest digest;               // of the index for a multi-platform tag
  std::string media_type;             // empty when nothing had to be asked
  std::optional<std::uint64_t> size;  // bytes of the manifest, when known
  std::string credential_source;  // which login answered, for people; "anonymous"; never the secret
  bool asked = true;              // false when the reference already held its digest

  // "registry/repository@digest", every default spelt out.
  std::string pinned_name() const;
};

struct LookupOptions {
  Duration timeout =
      std::chrono::seconds(30);  // the whole lookup: waiting, token exchanges and retries included
  std::shared_ptr<credentials::Keychain> keychain = nullptr;  // instead of the resolver's own
};

using LookupCallback = std::move_only_function<void(Result<Resolution>)>;

class ImageResolver {
 public:
  virtual ~ImageResolver() = default;

  // Starts a lookup and returns at once. `done` is called exactly once, from the resolver's own
  // thread or from this call, never under a lock; it must not block. A reference with a digest is
  // answered by this call without any network. When `stop` is requested the lookup ends with
  // kCancelled.
  virtual void resolve(const image::ImageReference& reference, const LookupOptions& options,
                       std::stop_token stop, LookupCallback done) = 0;

  // The same, waiting for the answer. Not to be called from a callback.
  Result<Resolution> resolve_blocking(const image::ImageReference& reference,
                                      const LookupOptions& options, std::stop_token stop = {});
};

}  // namespace windlass::registry

// ImageResolver: asks an image's registry which digest its tag means now.
//
// One lookup is one call, with its own retries inside its own deadline. Nothing is remembered
// between lookups but connections, challenges and tokens; sharing lookups and caching digests is
// the resolver module's work.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "windlass/base/result.h"
#include "windlass/base/time.h"
#include "windlass/image/image_reference.h"
#include "windlass/oci/platform.h"

namespace windlass::credentials {
class Keychain;
}

namespace windlass::registry {

// However long a registry wants to be left alone (Error::retry_after), it may have been mistaken:
// after so long it is asked again.
inline constexpr std::chrono::hours kLongestPause{24};

// What a registry says of how much it will still answer.
struct RateLimit {
  std::int64_t limit = 0;
  std::int64_t remaining = 0;
  Duration window{};  // that the limit is for; 0 when not told
};

// What a registry said about one reference.
struct Resolution {
  image::ImageReference reference;  // as written
  image::Digest digest;    // of the index for a multi-platform tag, unless one is asked for
  std::string media_type;  // empty when nothing had to be asked
  std::optional<std::uint64_t> size;  // bytes of the manifest, when known
  std::string credential_source;  // which login answered, for people; "anonymous"; never the secret
  bool asked = true;              // false when the reference already held its digest
  std::string mirror = {};        // "HOST/REPOSITORY" when not the registry itself answered
  std::optional<RateLimit> rate_limit = std::nullopt;
  TimePoint answered_at{};

  // "registry/repository@digest", every default spelt out.
  std::string pinned_name() const;
};

struct LookupOptions {
  Duration timeout =
      std::chrono::seconds(30);  // the whole lookup: waiting, token exchanges and retries included
  std::shared_ptr<credentials::Keychain> keychain = nullptr;  // instead of the resolver's own

  // The digest of this platform's image instead of the index's. An image for one platform only is
  // answered as it is: its manifest does not tell which.
  std::optional<oci::Platform> platform = std::nullopt;

  // The manifest is fetched and hashed, where otherwise a registry's word would do, and a digest
  // in the reference is asked for: kCorrupt when the bytes do not have it.
  bool verify = false;
};

using LookupCallback = std::move_only_function<void(Result<Resolution>)>;

class ImageResolver {
 public:
  virtual ~ImageResolver() = default;

  // Starts a lookup and returns at once. `done` is called exactly once, from the resolver's own
  // thread or from this call, never under a lock; it must not block. A reference with a digest is
  // answered by this call without any network, unless it is to be verified. When `stop` is
  // requested the lookup ends with kCancelled.
  virtual void resolve(const image::ImageReference& reference, const LookupOptions& options,
                       std::stop_token stop, LookupCallback done) = 0;

  // The same, waiting for the answer. Not to be called from a callback.
  Result<Resolution> resolve_blocking(const image::ImageReference& reference,
                                      const LookupOptions& options, std::stop_token stop = {});
};

}  // namespace windlass::registry

// Where a registry is asked, and which servers may be asked on its behalf.
#pragma once

#include <string>
#include <vector>

#include "windlass/base/result.h"
#include "windlass/http/url.h"
#include "windlass/image/image_reference.h"
#include "windlass/registry/registry_client.h"

namespace windlass::registry {

// What may be asked, and how, for the sake of one endpoint: the endpoint itself, its token service,
// and where it redirects to. A value; `options` outlive it.
class Trust {
 public:
  // `insecure_host`: the Url::authority() of an endpoint that the user has called insecure.
  explicit Trust(const RegistryOptions& options, std::string insecure_host = {})
      : options_(&options), insecure_host_(std::move(insecure_host)) {}

  // True when `url` is https, or its host may be asked without.
  bool may_ask(const http::Url& url) const;

  // False when `from` sends us into our own network, where it could not get by itself: to a
  // loopback, link-local or private address, unless it has such an address too.
  bool may_lead(const http::Url& from, const http::Url& to) const;

  bool takes_any_certificate(const http::Url& url) const;

 private:
  const RegistryOptions* options_;
  std::string insecure_host_;
};

// One endpoint of an image.
struct Source {
  image::ImageReference reference;  // what it is called there
  std::vector<http::Url> urls;      // of its manifest; two for an insecure one: with TLS, without
  Trust trust;
  bool is_mirror = false;
};

// Mirrors first, the registry itself last; never empty. Docker Hub is asked at its own host; plain
// http is used for loopback and where `options` say so. kInvalid for a port that cannot be;
// otherwise what Registries::endpoints_of() says.
Result<std::vector<Source>> sources_of(const image::ImageReference& reference,
                                       const RegistryOptions& options);

}  // namespace windlass::registry

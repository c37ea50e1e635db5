#include "endpoint.h"

#include <algorithm>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::registry {
namespace {

// A host without its port, however it is written.
std::string_view host_of(std::string_view authority) {
  const std::size_t colon = authority.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos;
  return has_port ? authority.substr(0, colon) : authority;
}

bool is_listed(std::string_view authority, const std::vector<std::string>& hosts) {
  return std::ranges::any_of(hosts, [&](const std::string& host) {
    return equals_ignoring_case(host, authority) || equals_ignoring_case(host, host_of(authority));
  });
}

bool allows_plain(std::string_view authority, const RegistryOptions& options) {
  if (is_listed(authority, options.plain_http)) return true;
  return image::is_loopback_registry(authority) && !is_listed(authority, options.tls);
}

}  // namespace

Result<http::Url> manifest_url(const image::ImageReference& reference,
                               const RegistryOptions& options) {
  std::string_view host = reference.registry();
  if (host == "docker.io") host = "registry-1.docker.io";
  return http::Url::parse(format("{}://{}/v2/{}/manifests/{}",
                                 allows_plain(host, options) ? "http" : "https", host,
                                 reference.repository(), reference.lookup_target()));
}

bool may_be_asked(const http::Url& url, const RegistryOptions& options) {
  return url.is_https() || allows_plain(format("{}:{}", url.host(), url.port()), options);
}

}  // namespace windlass::registry

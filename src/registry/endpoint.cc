#include "endpoint.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <span>

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

std::string with_port(const http::Url& url) { return format("{}:{}", url.host(), url.port()); }

// 10/8, 172.16/12, 192.168/16, 169.254/16, 100.64/10, 0/8, 127/8.
bool is_inner(const std::array<unsigned char, 4>& a) {
  return (a[0] == 100 && (a[1] & 0xc0U) == 64) || a[0] == 10 || a[0] == 127 || a[0] == 0 ||
         (a[0] == 172 && (a[1] & 0xf0U) == 16) || (a[0] == 192 && a[1] == 168) ||
         (a[0] == 169 && a[1] == 254);
}

// Addresses alone: what a name stands for is not known before it is asked.
bool is_inner_host(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (image::is_loopback_registry(host)) return true;
  if (host.starts_with('[')) {
    host = host.substr(1, host.size() - 2);
    std::array<unsigned char, 16> a{};
    if (inet_pton(AF_INET6, std::string(host.substr(0, host.find('%'))).c_str(), a.data()) != 1)
      return false;
    // IPv4 within IPv6: mapped, NAT64 and 6to4.
    using Prefix = std::array<unsigned char, 12>;
    constexpr Prefix kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    constexpr Prefix kNat64 = {0, 0x64, 0xff, 0x9b};
    for (const Prefix& prefix : {kMapped, kNat64}) {
      if (std::ranges::equal(prefix, std::span(a).first<12>()))
        return is_inner({a[12], a[13], a[14], a[15]});
    }
    if (a[0] == 0x20 && a[1] == 0x02) return is_inner({a[2], a[3], a[4], a[5]});
    const bool is_any_or_loopback =
        std::all_of(a.begin(), a.end() - 1, [](unsigned char byte) { return byte == 0; });
    return is_any_or_loopback || (a[0] & 0xfeU) == 0xfcU ||
           (a[0] == 0xfe && (a[1] & 0xc0U) == 0x80U);
  }
  std::array<unsigned char, 4> a{};
  return inet_pton(AF_INET, std::string(host).c_str(), a.data()) == 1 && is_inner(a);
}

Result<http::Url> manifest_url(std::string_view scheme, const image::ImageReference& reference) {
  std::string_view host = reference.registry();
  if (host == "docker.io") host = "registry-1.docker.io";
  return http::Url::parse(format("{}://{}/v2/{}/manifests/{}", scheme, host, reference.repository(),
                                 reference.lookup_target()));
}

Result<Source> source_of(const registries_conf::Endpoint& endpoint,
                         const RegistryOptions& options) {
  const std::string& host = endpoint.reference.registry();
  std::vector<std::string_view> schemes;
  if (!endpoint.insecure) {
    schemes = {allows_plain(host, options) ? "http" : "https"};
  } else {
    if (!is_listed(host, options.plain_http)) schemes.emplace_back("https");
    if (!is_listed(host, options.tls)) schemes.emplace_back("http");
    if (schemes.empty()) schemes.emplace_back("https");
  }
  Source source{.reference = endpoint.reference,
                .urls = {},
                .trust = Trust(options),
                .is_mirror = endpoint.is_mirror};
  for (const std::string_view scheme : schemes) {
    Result<http::Url> url = manifest_url(scheme, endpoint.reference);
    if (!url) return fail(std::move(url.error()));
    source.urls.push_back(*std::move(url));
  }
  if (endpoint.insecure) source.trust = Trust(options, source.urls.front().authority());
  return source;
}

}  // namespace

bool Trust::may_ask(const http::Url& url) const {
  return url.is_https() || allows_plain(with_port(url), *options_) ||
         (!insecure_host_.empty() && url.authority() == insecure_host_);
}

bool Trust::may_lead(const http::Url& from, const http::Url& to) const {
  return to.host() == from.host() || !is_inner_host(to.host()) || is_inner_host(from.host()) ||
         is_listed(with_port(to), options_->trusted_realms);
}

bool Trust::takes_any_certificate(const http::Url& url) const {
  return url.is_https() && !insecure_host_.empty() && url.authority() == insecure_host_;
}

Result<std::vector<Source>> sources_of(const image::ImageReference& reference,
                                       const RegistryOptions& options) {
  Result<image::ImageReference> whole =
      options.short_names ? options.registries.expand(reference) : reference;
  if (!whole) return fail(std::move(whole.error()));
  auto endpoints = options.registries.endpoints_of(*whole);
  if (!endpoints) return fail(std::move(endpoints.error()));
  std::vector<Source> sources;
  for (const registries_conf::Endpoint& endpoint : *endpoints) {
    Result<Source> source = source_of(endpoint, options);
    if (!source) return fail(std::move(source.error()));
    sources.push_back(*std::move(source));
  }
  return sources;
}

}  // namespace windlass::registry

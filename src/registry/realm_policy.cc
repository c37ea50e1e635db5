#include "realm_policy.h"

#include <algorithm>
#include <array>

#include "windlass/base/text.h"

namespace windlass::registry {
namespace {

using std::string_view;

// Zones below which anybody can have a name.
constexpr std::array<string_view, 28> kSharedZones = {
    "amazonaws.com",
    "appspot.com",
    "azure-api.net",
    "azurecr.io",
    "azureedge.net",
    "azurefd.net",
    "azurewebsites.net",
    "cloudapp.net",
    "cloudflare.net",
    "cloudfront.net",
    "cloudapp.azure.com",
    "core.windows.net",
    "digitaloceanspaces.com",
    "duckdns.org",
    "fly.dev",
    "github.io",
    "gitlab.io",
    "googleapis.com",
    "herokuapp.com",
    "jfrog.io",
    "netlify.app",
    "ngrok.io",
    "nip.io",
    "onrender.com",
    "pages.dev",
    "run.app",
    "vercel.app",
    "workers.dev",
};

constexpr std::array<std::pair<string_view, string_view>, 2> kKnownPairs = {{
    {"registry.hub.docker.com", "auth.docker.io"},
    {"registry.connect.redhat.com", "sso.redhat.com"},
}};

bool is_address(string_view host) {
  return host.starts_with('[') || host.find_first_not_of("0123456789.") == string_view::npos;
}

string_view parent(string_view host) {
  const std::size_t dot = host.find('.');
  return dot == string_view::npos ? string_view{} : host.substr(dot + 1);
}

bool is_below(string_view host, string_view zone) {
  return host.size() > zone.size() && host.ends_with(zone) &&
         host[host.size() - zone.size() - 1] == '.';
}

bool is_same_site(string_view a, string_view b) {
  if (is_address(a) || is_address(b)) return false;
  const auto within = [](string_view host, string_view zone) {
    return !is_public_suffix(zone) && (host == zone || is_below(host, zone));
  };
  // Below one another, or side by side.
  return within(a, b) || within(b, a) || within(b, parent(a)) || within(a, parent(b));
}

}  // namespace

bool is_public_suffix(string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == string_view::npos) return true;
  for (const string_view zone : kSharedZones) {
    if (name == zone || is_below(zone, name)) return true;
  }
  // Regions of a shared zone, as s3.eu-west-1.amazonaws.com, are shared too.
  for (const string_view zone : {"amazonaws.com", "core.windows.net", "digitaloceanspaces.com"}) {
    if (is_below(name, zone)) return true;
  }
  // co.uk, com.au, or.jp: a short label below a country.
  const string_view last = parent(name);
  return last.find('.') == string_view::npos && last.size() == 2 && dot <= 3;
}

bool may_receive_login(const http::Url& registry, const http::Url& realm,
                       const std::vector<std::string>& trusted) {
  if (registry.is_https() && !realm.is_https()) return false;
  if (registry.host() == realm.host()) return true;
  const bool is_trusted = std::ranges::any_of(trusted, [&](const std::string& host) {
    return equals_ignoring_case(host, realm.host()) ||
           equals_ignoring_case(host, realm.authority());
  });
  if (is_trusted) return true;
  if (!realm.is_https()) return false;
  return is_same_site(registry.host(), realm.host()) ||
         std::ranges::find(kKnownPairs, std::pair<string_view, string_view>(
                                            registry.host(), realm.host())) != kKnownPairs.end();
}

}  // namespace windlass::registry

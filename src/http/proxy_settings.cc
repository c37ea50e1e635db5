#include "windlass/http/proxy_settings.h"

#include <arpa/inet.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "windlass/base/format.h"
#include "windlass/base/number.h"
#include "windlass/base/text.h"

namespace windlass::http {
namespace {

struct Address {
  std::array<std::uint8_t, 16> bytes{};
  int bits = 0;  // 32 or 128
};

std::string_view without_brackets(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) return host.substr(1, host.size() - 2);
  return host;
}

std::optional<Address> parse_address(std::string_view text) {
  const std::string plain(without_brackets(text));
  Address address;
  if (inet_pton(AF_INET, plain.c_str(), address.bytes.data()) == 1) {
    address.bits = 32;
  } else if (inet_pton(AF_INET6, plain.c_str(), address.bytes.data()) == 1) {
    address.bits = 128;
  } else {
    return std::nullopt;
  }
  return address;
}

bool same_prefix(const Address& a, const Address& b, int bits) {
  for (int i = 0; i < bits; ++i) {
    const auto byte = static_cast<std::size_t>(i / 8);
    const unsigned mask = 0x80U >> static_cast<unsigned>(i % 8);
    if ((a.bytes[byte] & mask) != (b.bytes[byte] & mask)) return false;
  }
  return true;
}

bool in_block(std::string_view block, const Address& address) {
  const std::size_t slash = block.find('/');
  const std::optional<Address> base = parse_address(block.substr(0, slash));
  if (!base || base->bits != address.bits) return false;
  if (slash == std::string_view::npos) return same_prefix(*base, address, base->bits);
  const std::optional<int> bits = parse_number<int>(block.substr(slash + 1));
  return bits && *bits >= 0 && *bits <= base->bits && same_prefix(*base, address, *bits);
}

// Takes ":port" off `entry`. An IPv6 address without brackets has colons and no port.
std::optional<int> take_port(std::string_view& entry) {
  const std::size_t colon = entry.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const bool bracketed = entry.substr(0, colon).ends_with(']');
  if (!bracketed && entry.find(':') != colon) return std::nullopt;
  const std::optional<int> port = parse_number<int>(entry.substr(colon + 1));
  if (port) entry = entry.substr(0, colon);
  return port;
}

bool is_excepted(std::string_view entry, const Url& url) {
  entry = trim(entry);
  if (entry == "*") return true;
  if (entry.empty()) return false;
  if (entry.find('/') == std::string_view::npos) {
    const std::optional<int> port = take_port(entry);
    if (port && *port != url.port()) return false;
  }
  if (const std::optional<Address> address = parse_address(url.host()))
    return in_block(entry, *address);
  if (entry.starts_with("*.")) entry.remove_prefix(1);
  const std::string name = to_lower(entry);
  if (name.starts_with('.')) return url.host().ends_with(name);
  return url.host() == name || url.host().ends_with('.' + name);
}

bool is_loopback(const Url& url) {
  return url.host() == "localhost" || url.host().ends_with(".localhost") ||
         url.is_loopback_address();
}

}  // namespace

ProxySettings ProxySettings::from_variables(
    const std::function<std::string(const std::string& name)>& variable) {
  const auto either = [&](std::string name) {
    if (std::string value = variable(name); !value.empty()) return value;
    for (char& c : name) c = c == '_' ? '_' : static_cast<char>(c - 'a' + 'A');
    return variable(name);
  };
  const std::string all = either("all_proxy");
  const auto or_all = [&](const std::string& value) { return value.empty() ? all : value; };
  return {.for_http = or_all(either("http_proxy")),
          .for_https = or_all(either("https_proxy")),
          .except = either("no_proxy")};
}

std::optional<std::string> ProxySettings::proxy_of(const Url& url) const {
  for (const std::string& name : {format("{}:{}", url.host(), url.port()), url.host()}) {
    const auto own = for_host.find(name);
    if (own == for_host.end()) continue;
    return own->second.empty() ? std::nullopt : std::optional(own->second);
  }
  const std::string& proxy = url.is_https() ? for_https : for_http;
  if (proxy.empty() || is_loopback(url)) return std::nullopt;
  std::string_view rest = except;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    if (is_excepted(rest.substr(0, comma), url)) return std::nullopt;
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
  return proxy;
}

std::string shown_proxy(std::string_view proxy) {
  if (const std::size_t scheme = proxy.find("://"); scheme != std::string_view::npos)
    proxy = proxy.substr(scheme + 3);
  if (const std::size_t user = proxy.rfind('@'); user != std::string_view::npos)
    proxy = proxy.substr(user + 1);
  return printable(proxy.substr(0, proxy.find('/')));
}

}  // namespace windlass::http

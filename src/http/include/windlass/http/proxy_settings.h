// ProxySettings: through which proxy a URL is asked, by the rules of HTTP_PROXY, HTTPS_PROXY and
// NO_PROXY. Reading these variables is the application's work.
//
// A value.
#pragma once

#include <optional>
#include <string>

#include "windlass/http/url.h"

namespace windlass::http {

struct ProxySettings {
  std::string for_http;   // "http://proxy:3128", or "proxy:3128"; empty for none
  std::string for_https;  // asked with CONNECT
  // Comma-separated: "*", a name (and what is below it), ".name" (only what is below it), an
  // address, a block such as 10.0.0.0/8, each with ":port" where only that port is meant.
  std::string except;

  // Loopback addresses and names are never asked through a proxy: they mean this machine.
  std::optional<std::string> proxy_of(const Url& url) const;
};

// "host:port" of a proxy, for people: without user and password.
std::string shown_proxy(std::string_view proxy);

}  // namespace windlass::http

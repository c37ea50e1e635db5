// ProxySettings: through which proxy a URL is asked, by the rules of HTTP_PROXY, HTTPS_PROXY and
// NO_PROXY. Reading these variables is the application's work.
//
// A proxy is "http://HOST:PORT" (also https://, socks5h:// and what else libcurl knows), perhaps
// with USER:PASSWORD@, or "HOST:PORT".
//
// A value.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "windlass/http/url.h"

namespace windlass::http {

struct ProxySettings {
  std::string for_http;   // empty for none
  std::string for_https;  // asked with CONNECT
  // Comma-separated: "*", a name (and what is below it), ".name" (only what is below it), an
  // address, a block such as 10.0.0.0/8, each with ":port" where only that port is meant.
  std::string except;

  // By "host:port" or "host", in lower case: goes before all of the above. "" for no proxy.
  std::map<std::string, std::string> for_host = {};

  // What HTTP_PROXY, HTTPS_PROXY, ALL_PROXY (for what the other two leave out) and NO_PROXY say,
  // in lower case first. `variable` gives the value of one, "" when it is not set.
  static ProxySettings from_variables(
      const std::function<std::string(const std::string& name)>& variable);

  // Loopback addresses and names are never asked through a proxy: they mean this machine.
  std::optional<std::string> proxy_of(const Url& url) const;
};

// "host:port" of a proxy, for people: without user and password.
std::string shown_proxy(std::string_view proxy);

}  // namespace windlass::http

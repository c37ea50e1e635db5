// Url: an absolute http or https address, taken apart by the same code that will connect to it, so
// that what is checked and what is asked cannot differ.
//
// A value. User and password are refused: they would end up in logs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "windlass/base/result.h"

namespace windlass::http {

class Url {
 public:
  static Result<Url> parse(std::string_view text);

  // What `reference` (absolute or relative, as in a Location header) means beside this URL.
  Result<Url> resolve(std::string_view reference) const;

  const std::string& to_string() const { return text_; }
  bool is_https() const { return https_; }
  const std::string& host() const { return host_; }  // lower case; IPv6 with brackets
  bool is_loopback_address() const;                  // 127.0.0.0/8 or ::1; no name is
  int port() const { return port_; }                 // 443 or 80 when none is written
  const std::string& path() const { return path_; }

  std::string authority() const;  // "host", or "host:port" when the port is not the scheme's own
  bool same_origin(const Url& other) const;  // scheme, host and port

  // With `parameters` appended to the query, percent-encoded; what was there stays as it is.
  Url with_query(std::span<const std::pair<std::string, std::string>> parameters) const;

  // For people: the query's values, which may hold secrets, are left out.
  std::string shown() const;

 private:
  Url() = default;

  std::string text_;
  bool https_ = false;
  std::string host_;
  int port_ = 0;
  std::string path_;
};

std::string percent_encode(std::string_view text);  // all but RFC 3986 unreserved characters

}  // namespace windlass::http

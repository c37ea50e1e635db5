// What a transfer that gave no answer means, for people and for whoever decides on a retry.
#pragma once

#include <curl/curl.h>

#include <string>
#include <string_view>

#include "certificate_trouble.h"
#include "windlass/base/error.h"
#include "windlass/http/url.h"

namespace windlass::http {

struct Failure {
  CURLcode code = CURLE_OK;
  std::string_view detail;  // the library's own words
  long os_error = 0;        // errno of the failed connect, 0 when there is none
  bool connected = false;   // a connection to the host had been made
  Duration timeout{};       // the request's own
  std::string proxy;        // shown_proxy() of the one used, or empty
  long proxy_status = 0;    // of its answer to CONNECT, 0 when there is none
  CertificateTrouble certificate = {};
  bool is_proxys_certificate = false;
};

Error describe(const Failure& failure, const Url& url);

}  // namespace windlass::http

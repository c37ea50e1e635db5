#include "failure.h"

#include <system_error>

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::http {
namespace {

Error error(ErrorCode code, std::string message) {
  return Error{.code = code, .message = std::move(message)};
}

// The library quotes a proxy's URL as it was given, with its login.
std::string without_login(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return std::string(text);
  const std::size_t scheme = text.rfind("://", at);
  const std::size_t begin =
      scheme != std::string_view::npos ? scheme + 3 : text.find_last_of(" '\"", at) + 1;
  return std::string(text.substr(0, begin)).append("***").append(text.substr(at));
}

// The part of the library's sentence that says why, without its own framing.
std::string reason(const Failure& failure) {
  std::string_view text = failure.detail;
  if (text.empty()) text = curl_easy_strerror(failure.code);
  constexpr std::string_view kFrame = "SSL certificate problem: ";
  if (text.starts_with(kFrame)) text.remove_prefix(kFrame.size());
  return printable(trim(without_login(text)));
}

std::string without_tls(const Url& url) {
  return format("allow that with --plain-http {} (and no --tls)", url.authority());
}

// A server that speaks TLS ends a connection on which it reads anything else.
std::string hint_of_tls(const Failure& failure, const Url& url) {
  if (!failure.proxy.empty()) return "; look at https_proxy and http_proxy";
  if (url.is_https()) return "; check the host's name and port";
  return format("; if it speaks TLS, ask it that way: --tls {} (and no --plain-http)",
                url.authority());
}

// The proxy's own certificate, where TLS is spoken with it too.
std::string asked_host(const Failure& failure, const Url& url) {
  return failure.is_proxys_certificate ? "the proxy " + failure.proxy : url.authority();
}

Error certificate_refused(const Failure& failure, const Url& url) {
  const bool other_name = failure.detail.contains("subject name") ||
                          failure.detail.contains("does not match") ||
                          failure.detail.contains("matches target");
  return error(ErrorCode::kInvalid,
               explain(failure.certificate, asked_host(failure, url), reason(failure), other_name));
}

Error handshake_failed(const Failure& failure, const Url& url) {
  const std::string_view detail = failure.detail;
  const auto says = [&](std::string_view words) { return detail.contains(words); };
  if (says("wrong version number") || says("packet length too long") || says("http request")) {
    return error(ErrorCode::kInvalid,
                 format("{}: the server does not speak TLS; if it is meant to be asked without "
                        "encryption, {}",
                        url.authority(), without_tls(url)));
  }
  if (says("protocol version") || says("unsupported protocol")) {
    return error(ErrorCode::kInvalid,
                 format("{}: the server speaks no TLS version that is new enough: {}; ask who "
                        "runs it for TLS 1.2 or newer",
                        url.authority(), reason(failure)));
  }
  if (says("alert handshake failure")) {
    return error(ErrorCode::kInvalid,
                 format("{}: the server ended the TLS handshake: {}; it may want a client "
                        "certificate, which --cert-dir gives, or no cipher is common",
                        url.authority(), reason(failure)));
  }
  return error(ErrorCode::kUnavailable,
               format("{}: TLS handshake failed: {}; if the server is meant to be asked without "
                      "encryption, {}",
                      url.authority(), reason(failure), without_tls(url)));
}

// TLS 1.3 servers say so only after the handshake, when the answer is read.
bool client_certificate_refused(const Failure& failure) {
  return failure.detail.contains("alert certificate required") ||
         failure.detail.contains("alert bad certificate") ||
         failure.detail.contains("alert unknown ca");
}

Error connect_failed(const Failure& failure, const Url& url) {
  if (failure.detail.contains("proxy scheme")) {
    return error(ErrorCode::kInvalid,
                 format("{}: {}; a proxy's URL begins with http://, https://, socks5:// or is "
                        "HOST:PORT",
                        url.authority(), to_lower(reason(failure))));
  }
  const std::string why =
      failure.os_error != 0
          ? std::error_code(static_cast<int>(failure.os_error), std::generic_category()).message()
          : reason(failure);
  const std::string where =
      failure.proxy.empty() ? format("{}:{}", url.host(), url.port()) : failure.proxy;
  return error(ErrorCode::kUnavailable, format("connect to {}: {}", where, to_lower(why)));
}

Error tunnel_refused(const Failure& failure, const std::string& host) {
  const long status = failure.proxy_status;
  if (status == 407) {
    return error(
        ErrorCode::kInvalid,
        format("{}: the proxy on the way wants a login (407); write it into the proxy's URL",
               host));
  }
  return error(status >= 400 && status < 500 && status != 408 && status != 429
                   ? ErrorCode::kInvalid
                   : ErrorCode::kUnavailable,
               format("{}: the proxy on the way answered {} instead of connecting; ask who runs "
                      "the proxy, or name the host in no_proxy",
                      host, status));
}

Error broke_off(const Failure& failure, const std::string& host, std::string_view hint) {
  return error(ErrorCode::kUnavailable,
               format("{}: the connection broke off before the answer was complete: {}{}", host,
                      reason(failure), hint));
}

Error classify(const Failure& failure, const Url& url) {
  const std::string host = url.authority();
  if (failure.proxy_status >= 300) return tunnel_refused(failure, host);
  if (client_certificate_refused(failure)) {
    return error(ErrorCode::kInvalid,
                 format("{}: the server refused our client certificate or wants one: {}; give the "
                        "right one with --cert-dir",
                        host, reason(failure)));
  }
  switch (failure.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return error(ErrorCode::kUnavailable, format("{}: no such host name", url.host()));
    case CURLE_COULDNT_RESOLVE_PROXY:
      return error(ErrorCode::kUnavailable,
                   "the proxy's host name is not found; look at https_proxy and http_proxy");
    case CURLE_COULDNT_CONNECT: return connect_failed(failure, url);
    case CURLE_OPERATION_TIMEDOUT:
      return error(ErrorCode::kTimedOut,
                   format("{}: {}", host,
                          failure.connected ? "no complete answer after " + to_text(failure.timeout)
                                            : std::string("no connection within the time for it")));
    case CURLE_PEER_FAILED_VERIFICATION: return certificate_refused(failure, url);
    case CURLE_SSL_CONNECT_ERROR: return handshake_failed(failure, url);
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
      return error(ErrorCode::kInvalid,
                   format("{}: TLS: {}; look at the files of --ca-file and --cert-dir", host,
                          reason(failure)));
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return error(ErrorCode::kInvalid, format("{}: the server does not answer in HTTP: {}{}", host,
                                               reason(failure), hint_of_tls(failure, url)));
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR: return broke_off(failure, host, hint_of_tls(failure, url));
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return broke_off(failure, host, "");
    // The library's word for a line that is longer than it takes.
    case CURLE_OUT_OF_MEMORY:
      return error(ErrorCode::kInvalid,
                   format("{}: the answer is refused: a line of its header is too long; check that "
                          "this is a registry's name",
                          host));
    case CURLE_FAILED_INIT:
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_UNKNOWN_OPTION:
      return error(ErrorCode::kInternal, format("{}: {}", host, reason(failure)));
    default: return error(ErrorCode::kUnavailable, format("{}: {}", host, reason(failure)));
  }
}

}  // namespace

Error describe(const Failure& failure, const Url& url) {
  Error described = classify(failure, url);
  if (!failure.proxy.empty()) described.message += format(" (via proxy {})", failure.proxy);
  return described;
}

}  // namespace windlass::http

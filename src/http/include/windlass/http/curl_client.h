// CurlClient: the Client for the real network: libcurl's multi interface on one thread.
//
// HTTP/2 where the server offers it over TLS, connections kept and shared. Requests beyond the caps
// wait in the order they came, each host for itself, and hosts share the connections, so that
// those that do not answer hold nobody else up. It reads no environment and no file but those named
// in its options.
//
// Thread safety: all members may be called from any thread; callbacks run on the client's thread.
// Lifetime: the destructor answers what is pending with kCancelled and runs those callbacks; nobody
// may send any more by then, except from these callbacks.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "windlass/base/clock.h"
#include "windlass/http/client.h"
#include "windlass/http/proxy_settings.h"
#include "windlass/http/tls_settings.h"

namespace windlass::http {

std::string default_user_agent();  // "windlass/VERSION"

class CurlClient final : public Client {
 public:
  struct Options {
    std::string user_agent = default_user_agent();
    TlsSettings tls;
    // More settings for one host ("host" or "host:port"): its CAs beside those of `tls`, and a
    // client certificate instead of its; the stricter of the rest. Asked once per host, from the
    // client's thread, when the first connection to it is wanted. An error fails the request.
    std::function<Result<TlsSettings>(const std::string& authority)> tls_of_host;
    ProxySettings proxies;
    Duration connect_timeout = std::chrono::seconds(10);  // name, TCP and TLS
    std::size_t connections_max = 128;  // half of them for hosts that have none yet
    std::size_t connections_per_host_max = 16;
    std::size_t requests_per_host_max = 100;  // on the wire at once, where HTTP/2 is spoken
    std::size_t requests_max = 100'000;       // pending; one more fails with kUnavailable
    std::size_t header_bytes_max = std::size_t{64} << 10U;  // of an answer
  };

  // kInvalid when a file named in `options.tls` cannot be used. `clock` is the machine's: deadlines
  // are compared with it, but the waiting is the network's.
  static Result<std::unique_ptr<CurlClient>> create(Clock& clock, Options options);

  ~CurlClient() override;
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  void send(Request request, std::stop_token stop, Callback done) override;

 private:
  class Impl;
  explicit CurlClient(std::unique_ptr<Impl> impl);

  const std::unique_ptr<Impl> impl_;
};

}  // namespace windlass::http

// ApiClient: GETs from a Kubernetes API server. It waits for the answer: callers bring the thread.
//
// Connection errors, 429 and 5xx are tried again, as the server says or after a pause with jitter,
// within the time given. After a 401 credentials are fetched anew, once: token and certificate
// files are read, the exec plugin is run. Neither watches nor writes.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "windlass/base/clock.h"
#include "windlass/base/random.h"
#include "windlass/base/result.h"
#include "windlass/credentials/document.h"
#include "windlass/http/curl_client.h"
#include "windlass/kube/connection.h"

namespace windlass::kube {

struct ApiOptions {
  Duration timeout = std::chrono::seconds(30);          // of one get(), with all its attempts
  Duration request_timeout = std::chrono::seconds(10);  // of one attempt
  int attempts_max = 5;
  Duration backoff_base = std::chrono::milliseconds(200);  // doubled with each attempt
  Duration backoff_max = std::chrono::seconds(5);
  Duration exec_timeout = std::chrono::minutes(1);
  Duration expiry_margin = std::chrono::seconds(10);  // an exec credential is given up this early
  std::size_t body_bytes_max = std::size_t{8} << 20U;
  http::ProxySettings proxies;  // for a connection that names no proxy of its own
};

class ApiClient {
 public:
  // Makes the client of a connection; made again when a client certificate has changed.
  using HttpFactory =
      std::function<Result<std::unique_ptr<http::Client>>(http::CurlClient::Options)>;

  // `seed` is of the jitter. Without `http`, libcurl's.
  ApiClient(Clock& clock, Connection connection, ApiOptions options, std::uint64_t seed,
            HttpFactory http = {});
  ~ApiClient();
  ApiClient(const ApiClient&) = delete;
  ApiClient& operator=(const ApiClient&) = delete;

  // The object at `path` ("/api/v1/..."); `what` names it in errors: "secret shop/regcred". The
  // code of an error is the status': kUnauthenticated, kForbidden, kNotFound, ...; its message
  // holds the server, who we are, and what to do.
  Result<credentials::Value> get(const std::string& path, const std::string& what,
                                 const std::stop_token& stop);

  const Connection& connection() const { return connection_; }

 private:
  class Session;

  struct Attempt {
    Result<credentials::Value> result;
    bool refused = false;       // 401
    std::uint64_t session = 0;  // which credentials were refused
  };

  Attempt try_once(const std::string& path, TimePoint deadline, const std::stop_token& stop);
  Duration pause(int attempt, const Error& error) EXCLUDES(mutex_);

  Clock& clock_;
  const Connection connection_;
  const ApiOptions options_;
  const std::unique_ptr<Session> session_;

  Mutex mutex_;
  Random random_ GUARDED_BY(mutex_);
};

}  // namespace windlass::kube

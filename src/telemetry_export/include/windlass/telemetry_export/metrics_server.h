// MetricsServer: answers GET /metrics with the metrics of the moment, for Prometheus to scrape.
//
// One thread of its own serves all connections without waiting for any, and another cuts off those
// that take too long: a slow scraper blocks nobody, and many shut nobody out. It speaks plain
// HTTP/1.1, one request a connection, and knows no login: bind it to loopback, or to an address
// that only those who may read can reach.
//
// Thread safety: all members may be called from any thread. Lifetime: clock and metrics outlive
// it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "windlass/base/clock.h"
#include "windlass/base/result.h"
#include "windlass/telemetry/metrics.h"

namespace windlass::telemetry_export {

class MetricsServer {
 public:
  struct Options {
    unsigned connections_max = 32;                        // more wait to be accepted
    Duration idle_timeout = std::chrono::seconds(10);     // of a connection; whole seconds
    Duration request_timeout = std::chrono::seconds(30);  // from connecting to the answer's end
    Duration stop_patience = std::chrono::seconds(1);  // for answers that are under way at the end
  };

  // `address` is "127.0.0.1:9464", "[::1]:9464", "localhost:9464", or ":9464" for every address of
  // this machine; port 0 takes a free one. kInvalid for another form, kConflict when the port is in
  // use, kForbidden, or kUnavailable.
  static Result<std::unique_ptr<MetricsServer>> start(Clock& clock, std::string_view address,
                                                      const telemetry::Metrics& metrics,
                                                      Options options);

  // Finishes the answers that are under way, at most for `stop_patience`. No callback of the
  // metrics runs afterwards.
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  // "127.0.0.1:41234": with the real port.
  const std::string& address() const { return address_; }

 private:
  class Daemon;
  MetricsServer(std::string address, std::unique_ptr<Daemon> daemon);

  const std::string address_;
  const std::unique_ptr<Daemon> daemon_;
};

}  // namespace windlass::telemetry_export

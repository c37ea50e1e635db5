#include "windlass/telemetry_export/metrics_server.h"

#include <microhttpd.h>

#include <algorithm>
#include <cstddef>

#include "connection_deadlines.h"
#include "listen_socket.h"
#include "windlass/telemetry_export/prometheus_text.h"

namespace windlass::telemetry_export {
namespace {

constexpr std::string_view kPlain = "text/plain; charset=utf-8";

MHD_Result answer(MHD_Connection* connection, unsigned status, std::string_view type,
                  const std::string& body, std::string_view allow = {}) {
  MHD_Response* response = MHD_create_response_from_buffer(
      body.size(), const_cast<char*>(body.data()), MHD_RESPMEM_MUST_COPY);
  if (response == nullptr) return MHD_NO;
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, std::string(type).c_str());
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
  if (!allow.empty())
    MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, std::string(allow).c_str());
  const MHD_Result queued = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return queued;
}

bool has_body(MHD_Connection* connection) {
  const auto header = [&](const char* name) {
    const char* value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return std::string_view(value == nullptr ? "" : value);
  };
  const std::string_view length = header(MHD_HTTP_HEADER_CONTENT_LENGTH);
  return length.find_first_not_of('0') != std::string_view::npos ||
         !header(MHD_HTTP_HEADER_TRANSFER_ENCODING).empty();
}

MHD_Result serve(MHD_Connection* connection, std::string_view path, std::string_view method,
                 const telemetry::Metrics& metrics) {
  if (path != "/metrics")
    return answer(connection, MHD_HTTP_NOT_FOUND, kPlain, "not found; see /metrics\n");
  if (method != "GET" && method != "HEAD") {
    return answer(connection, MHD_HTTP_METHOD_NOT_ALLOWED, kPlain, "use GET\n", "GET, HEAD");
  }
  return answer(connection, MHD_HTTP_OK, kPrometheusContentType,
                prometheus_text(metrics.collect()));
}

}  // namespace

class MetricsServer::Daemon {
 public:
  Daemon(Clock& clock, const telemetry::Metrics& metrics, const Options& options,
         ListenSocket socket)
      : clock_(clock),
        metrics_(metrics),
        stop_patience_(options.stop_patience),
        socket_(std::move(socket)),
        deadlines_(clock, options.request_timeout) {}
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  bool start(const Options& options) {
    const auto idle = std::chrono::ceil<std::chrono::seconds>(options.idle_timeout).count();
    daemon_ = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC, 0, nullptr, nullptr, &on_request, this,
        MHD_OPTION_LISTEN_SOCKET, socket_.file(), MHD_OPTION_CONNECTION_LIMIT,
        options.connections_max, MHD_OPTION_CONNECTION_TIMEOUT,
        static_cast<unsigned>(std::clamp<std::int64_t>(idle, 1, 3600)), MHD_OPTION_NOTIFY_COMPLETED,
        &on_completed, this, MHD_OPTION_NOTIFY_CONNECTION, &on_connection, this, MHD_OPTION_END);
    return daemon_ != nullptr;
  }

  ~Daemon() {
    if (daemon_ == nullptr) return;
    MHD_quiesce_daemon(daemon_);
    {
      MutexLock lock(mutex_);
      clock_.wait_until(mutex_, changed_, saturating_add(clock_.now(), stop_patience_), {}, [&] {
        mutex_.assert_held();
        return requests_ == 0;
      });
    }
    MHD_stop_daemon(daemon_);
  }

 private:
  // Called once with the head of a request, when `*request` is null, then with its body and its
  // end. No exception may pass through the library.
  static MHD_Result on_request(void* self, MHD_Connection* connection, const char* path,
                               const char* method, const char* /*version*/, const char* /*body*/,
                               std::size_t* body_size, void** request) {
    auto& daemon = *static_cast<Daemon*>(self);
    if (*request == nullptr) {
      *request = self;
      daemon.count(+1);
      // Answered before the body is read, which could take for ever.
      if (has_body(connection))
        return answer(connection, MHD_HTTP_CONTENT_TOO_LARGE, kPlain, "no body is wanted\n");
      return MHD_YES;
    }
    if (*body_size > 0) return MHD_NO;
    try {
      return serve(connection, path, method, daemon.metrics_);
    } catch (...) {
      return MHD_NO;
    }
  }

  static void on_completed(void* self, MHD_Connection* /*connection*/, void** request,
                           MHD_RequestTerminationCode /*why*/) {
    if (*request != nullptr) static_cast<Daemon*>(self)->count(-1);
  }

  static void on_connection(void* self, MHD_Connection* connection, void** /*socket*/,
                            MHD_ConnectionNotificationCode what) {
    const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info == nullptr) return;
    auto& deadlines = static_cast<Daemon*>(self)->deadlines_;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
      deadlines.began(info->connect_fd);
    } else {
      deadlines.ended(info->connect_fd);
    }
  }

  void count(int change) {
    MutexLock lock(mutex_);
    requests_ += change;
    changed_.notify_all();
  }

  Clock& clock_;
  const telemetry::Metrics& metrics_;
  const Duration stop_patience_;
  const ListenSocket socket_;
  MHD_Daemon* daemon_ = nullptr;

  ConnectionDeadlines deadlines_;

  Mutex mutex_;
  CondVar changed_;
  int requests_ GUARDED_BY(mutex_) = 0;
};

MetricsServer::MetricsServer(std::string address, std::unique_ptr<Daemon> daemon)
    : address_(std::move(address)), daemon_(std::move(daemon)) {}

MetricsServer::~MetricsServer() = default;

Result<std::unique_ptr<MetricsServer>> MetricsServer::start(Clock& clock, std::string_view address,
                                                            const telemetry::Metrics& metrics,
                                                            Options options) {
  auto socket = ListenSocket::open(address);
  if (!socket) return fail(std::move(socket.error()), "metrics");
  std::string real = socket->address();
  auto daemon = std::make_unique<Daemon>(clock, metrics, options, std::move(*socket));
  if (!daemon->start(options))
    return fail(ErrorCode::kUnavailable, "metrics: the server for " + real + " did not start");
  return std::unique_ptr<MetricsServer>(new MetricsServer(std::move(real), std::move(daemon)));
}

}  // namespace windlass::telemetry_export

#include "otlp_receiver.h"

#include <memory>

#include "windlass/base/check.h"
#include "windlass/base/text.h"

namespace windlass::telemetry_export {
namespace {

MHD_Result keep_header(void* into, MHD_ValueKind /*kind*/, const char* name, const char* value) {
  (*static_cast<std::map<std::string, std::string>*>(into))[to_lower(name)] = value;
  return MHD_YES;
}

}  // namespace

OtlpReceiver::OtlpReceiver()
    : daemon_(MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD, 0, nullptr, nullptr, &on_request, this,
                               MHD_OPTION_END)) {
  WINDLASS_CHECK(daemon_ != nullptr);
}

OtlpReceiver::~OtlpReceiver() { MHD_stop_daemon(daemon_); }

std::string OtlpReceiver::url() const {
  const MHD_DaemonInfo* info = MHD_get_daemon_info(daemon_, MHD_DAEMON_INFO_BIND_PORT);
  return "http://127.0.0.1:" + std::to_string(info->port);
}

void OtlpReceiver::answer_with(unsigned status, std::string body) {
  MutexLock lock(mutex_);
  status_ = status;
  answer_ = std::move(body);
}

std::vector<OtlpReceiver::Received> OtlpReceiver::received() const {
  MutexLock lock(mutex_);
  return received_;
}

MHD_Result OtlpReceiver::on_request(void* self, MHD_Connection* connection, const char* path,
                                    const char* method, const char* /*version*/, const char* body,
                                    std::size_t* body_size, void** request) {
  if (*request == nullptr) {
    auto received = std::make_unique<Received>(Received{method, path, {}, {}});
    MHD_get_connection_values(connection, MHD_HEADER_KIND, &keep_header, &received->headers);
    *request = received.release();
    return MHD_YES;
  }
  auto* received = static_cast<Received*>(*request);
  if (*body_size > 0) {
    received->body.append(body, *body_size);
    *body_size = 0;
    return MHD_YES;
  }
  const std::unique_ptr<Received> whole(received);
  return static_cast<OtlpReceiver*>(self)->finish(connection, std::move(*whole));
}

MHD_Result OtlpReceiver::finish(MHD_Connection* connection, Received received) {
  MutexLock lock(mutex_);
  received_.push_back(std::move(received));
  MHD_Response* response =
      MHD_create_response_from_buffer(answer_.size(), answer_.data(), MHD_RESPMEM_MUST_COPY);
  const MHD_Result queued = MHD_queue_response(connection, status_, response);
  MHD_destroy_response(response);
  return queued;
}

}  // namespace windlass::telemetry_export

// OtlpReceiver: a small collector for tests: takes requests over HTTP and keeps them.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <microhttpd.h>

#include <map>
#include <string>
#include <vector>

#include "windlass/base/mutex.h"

namespace windlass::telemetry_export {

class OtlpReceiver {
 public:
  struct Received {
    std::string method;
    std::string path;
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;
  };

  OtlpReceiver();
  ~OtlpReceiver();
  OtlpReceiver(const OtlpReceiver&) = delete;
  OtlpReceiver& operator=(const OtlpReceiver&) = delete;

  std::string url() const;  // "http://127.0.0.1:PORT"

  // What the next requests are answered with.
  void answer_with(unsigned status, std::string body) EXCLUDES(mutex_);

  std::vector<Received> received() const EXCLUDES(mutex_);

 private:
  static MHD_Result on_request(void* self, MHD_Connection* connection, const char* path,
                               const char* method, const char* version, const char* body,
                               std::size_t* body_size, void** request);
  MHD_Result finish(MHD_Connection* connection, Received received) EXCLUDES(mutex_);

  MHD_Daemon* daemon_;

  mutable Mutex mutex_;
  unsigned status_ GUARDED_BY(mutex_) = 200;
  std::string answer_ GUARDED_BY(mutex_) = "{}";
  std::vector<Received> received_ GUARDED_BY(mutex_);
};

}  // namespace windlass::telemetry_export

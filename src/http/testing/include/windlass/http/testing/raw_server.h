// RawServer: a TCP server on loopback that sends exactly the bytes a test gives it, so that a test
// can be a server as broken as it likes.
//
// One connection at a time, in order; each request on it is one call of the script.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "windlass/base/mutex.h"

namespace windlass::http {

class RawServer {
 public:
  struct Reply {
    std::string bytes;
    bool close = false;  // after the bytes
    bool hang = false;   // until the client goes away
  };
  // Given the head of a request ("GET /path HTTP/1.1\r\n..."), without its body.
  using Script = std::function<Reply(const std::string& head)>;

  explicit RawServer(Script script);
  ~RawServer();

  std::string url(const std::string& path) const;
  std::vector<std::string> heads() const;  // of all requests so far

 private:
  void serve(const std::stop_token& stop);
  void talk(int connection);

  const Script script_;
  int listener_ = -1;
  int port_ = 0;

  mutable Mutex mutex_;
  std::vector<std::string> heads_ GUARDED_BY(mutex_);

  std::jthread thread_;
};

}  // namespace windlass::http

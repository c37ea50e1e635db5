// Poller: lets libcurl work where a socket has something for it, and only there: asking it to look
// at all transfers each time costs a system call for each of them.
//
// Belongs to the loop's thread; only wake() may be called from others.
#pragma once

#include <curl/curl.h>

#include "windlass/base/clock.h"

namespace windlass::http {

class Poller {
 public:
  // Has itself told by `multi`, which outlives it, of sockets and timers.
  Poller(Clock& clock, CURLM* multi);
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Lets the library do what its timer is due for, such as to start what was added.
  void work_due();

  // Waits until a socket is ready, the timer is due, wake() was called, or `until` has come; then
  // lets the library work on what is ready.
  void wait(TimePoint until);

  // Ends the present or the next wait.
  void wake();

 private:
  static int on_socket(CURL* easy, curl_socket_t socket, int what, void* self, void* known);
  static int on_timer(CURLM* multi, long milliseconds, void* self);
  void watch(curl_socket_t socket, int what, bool known);

  Clock& clock_;
  CURLM* const multi_;
  const int epoll_;
  const int wake_;
  TimePoint timer_ = TimePoint::max();  // the library's own
};

}  // namespace windlass::http

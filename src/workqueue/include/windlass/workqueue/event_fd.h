// EventFd: a descriptor that an event loop can poll, readable while a queue wants a look (Linux).
//
//   queue.set_on_wake([&] { event->signal(); });
//   while (!queue.over()) {
//     epoll_wait(..., /* until */ queue.next_due());
//     event->clear();
//     while (auto item = queue.try_get()) start(std::move(*item));
//   }
//
// Thread safety: all members may be called from any thread. It outlives the queue's use of it.
#pragma once

#include <memory>

#include "windlass/base/result.h"

namespace windlass::workqueue {

class EventFd {
 public:
  // kUnavailable when the process has no descriptor left.
  static Result<std::unique_ptr<EventFd>> create();
  ~EventFd();
  EventFd(const EventFd&) = delete;
  EventFd& operator=(const EventFd&) = delete;

  // For poll and epoll only; stays this object's.
  int fd() const { return fd_; }

  void signal();  // makes it readable
  void clear();   // makes it unreadable; to be called before looking, not after

 private:
  explicit EventFd(int fd) : fd_(fd) {}

  const int fd_;
};

}  // namespace windlass::workqueue

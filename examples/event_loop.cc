// A program of docs/guides/workqueue.md: one thread that serves a queue from its own event loop.
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "windlass/base/clock.h"
#include "windlass/workqueue/event_fd.h"
#include "windlass/workqueue/work_queue.h"

namespace {

using namespace std::chrono_literals;
using windlass::TimePoint;
using windlass::workqueue::EventFd;
using windlass::workqueue::WorkQueue;

// [timeout]
// For epoll_wait: milliseconds, rounded up; -1 is for ever.
int milliseconds_until(TimePoint due) {
  if (due == TimePoint::max()) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(due - windlass::system_clock().now());
  return static_cast<int>(std::clamp<long>(left.count(), 0, 60'000));
}
// [timeout]

// [loop]
void serve(WorkQueue<std::string>& queue, EventFd& event, int poller) {
  epoll_event wanted{.events = EPOLLIN, .data = {.fd = event.fd()}};
  epoll_ctl(poller, EPOLL_CTL_ADD, event.fd(), &wanted);
  queue.set_on_wake([&event] { event.signal(); });
  while (!queue.over()) {
    epoll_event came{};  // other descriptors of the program wait here, too
    epoll_wait(poller, &came, 1, milliseconds_until(queue.next_due()));
    event.clear();  // before looking: what comes from here on signals again
    while (auto item = queue.try_get()) std::puts(std::string(item->key()).c_str());
  }
  queue.set_on_wake(nullptr);
}
// [loop]

}  // namespace

int main() {
  WorkQueue<std::string> queue(windlass::system_clock());
  const auto event = EventFd::create();
  const int poller = epoll_create1(EPOLL_CLOEXEC);
  if (!event || poller < 0) return 1;
  {
    const std::jthread producer([&queue] {
      queue.add_after("default/cache", 20ms);
      queue.add("default/web");
      windlass::Clock& clock = windlass::system_clock();
      while (!queue.empty()) clock.sleep_until(clock.now() + 1ms, {});
      queue.shut_down();
    });
    serve(queue, **event, poller);
  }
  close(poller);
  std::puts("over");
}

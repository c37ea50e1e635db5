#include "windlass/workqueue/event_fd.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "windlass/base/format.h"

namespace windlass::workqueue {

Result<std::unique_ptr<EventFd>> EventFd::create() {
  const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) {
    return fail(ErrorCode::kUnavailable,
                format("eventfd: {}; raise the limit of open files or close some",
                       std::error_code(errno, std::generic_category()).message()));
  }
  return std::unique_ptr<EventFd>(new EventFd(fd));
}

EventFd::~EventFd() { close(fd_); }

void EventFd::signal() {
  const std::uint64_t one = 1;
  // Fails only when the counter is full, and then it is readable.
  if (write(fd_, &one, sizeof one) < 0) return;
}

void EventFd::clear() {
  std::uint64_t count = 0;
  // Fails only when nothing was signalled.
  if (read(fd_, &count, sizeof count) < 0) return;
}

}  // namespace windlass::workqueue

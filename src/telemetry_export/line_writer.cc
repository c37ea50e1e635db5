#include "line_writer.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace windlass::telemetry_export {
namespace {

// A pipe that is ready takes this much without blocking (PIPE_BUF on Linux).
constexpr std::size_t kPieceBytes = 4096;

}  // namespace

void LineWriter::write(std::string_view line) {
  if (in_line_ && write_all("\n")) in_line_ = false;
  const bool whole = !in_line_ && write_all(line);
  (whole ? written_ : dropped_).fetch_add(1, std::memory_order_relaxed);
}

bool LineWriter::await_room() const {
  pollfd poll_file{.fd = file_, .events = POLLOUT, .revents = 0};
  const auto patience = std::chrono::ceil<std::chrono::milliseconds>(patience_).count();
  const int ready = ::poll(&poll_file, 1, stuck_ ? 0 : static_cast<int>(patience));
  return ready < 0 ? errno == EINTR : ready > 0;
}

bool LineWriter::write_all(std::string_view bytes) {
  const std::size_t size = bytes.size();
  while (!bytes.empty()) {
    if (!await_room()) {
      stuck_ = true;
      break;
    }
    const ssize_t count = ::write(file_, bytes.data(), std::min(bytes.size(), kPieceBytes));
    if (count < 0 && errno != EINTR && errno != EAGAIN) break;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  if (bytes.empty()) {
    stuck_ = false;
    in_line_ = false;
    return true;
  }
  in_line_ = in_line_ || bytes.size() < size;
  return false;
}

}  // namespace windlass::telemetry_export

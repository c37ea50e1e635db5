#include "windlass/app/process.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <ios>
#include <string_view>
#include <system_error>

namespace windlass::app {
namespace {

constexpr timespec kPatience{.tv_sec = 0, .tv_nsec = 60'000'000};

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) sigaddset(&signals, signal);
  return signals;
}

// A standard stream that was closed would lend its number to the next file opened, which then would
// be read or written as if it were the stream. What is opened in its place fails every use.
int with_standard_streams(int (*open_file)()) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  return open_file();
}

}  // namespace

StopOnSignal::StopOnSignal(Interruption& interruption)
    : interruption_(interruption),
      descriptor_(with_standard_streams([] { return ::eventfd(0, EFD_CLOEXEC); })) {
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter_ = std::jthread([this](const std::stop_token& stop) { wait_for_signals(stop); });
}

void StopOnSignal::wait_for_signals(const std::stop_token& stop) {
  const sigset_t signals = stop_signals();
  int signal = 0;
  sigwait(&signals, &signal);
  if (stop.stop_requested()) return;
  source_.request_stop();
  const std::uint64_t one = 1;
  if (::write(descriptor_, &one, sizeof one) < 0) errno = 0;  // only input waits for it
  // Whoever does not look for the stop request, such as a parser in a large file, is not waited
  // for.
  while (true) {
    sigtimedwait(&signals, nullptr, &kPatience);
    if (stop.stop_requested()) return;
    if (!interruption_.end_quietly()) continue;
    const std::string_view text = interruption_.has_committed()
                                      ? "windlass: error: interrupted; the files were changed\n"
                                      : "windlass: error: interrupted; no file was changed\n";
    if (interruption_.may_tell() && ::write(STDERR_FILENO, text.data(), text.size()) < 0) errno = 0;
    std::_Exit(130);
  }
}

StopOnSignal::~StopOnSignal() {
  waiter_.request_stop();
  // Ends the waiter's sigwait: SIGUSR1 is ours, and blocked everywhere else.
  pthread_kill(waiter_.native_handle(), SIGUSR1);
  waiter_.join();
  ::close(descriptor_);
}

// A stream that reads from us takes this for its bad bit: the one way to tell an error from the
// end.
void InterruptibleInput::fail_reading() {
  throw std::ios_base::failure("standard input", std::error_code(errno, std::generic_category()));
}

InterruptibleInput::int_type InterruptibleInput::underflow() {
  std::array<pollfd, 2> events = {pollfd{STDIN_FILENO, POLLIN, 0},
                                  pollfd{stop_descriptor_, POLLIN, 0}};
  while (true) {
    if (::poll(events.data(), events.size(), -1) < 0) {
      if (errno == EINTR) continue;
      fail_reading();
    }
    if (events[1].revents != 0) return traits_type::eof();
    const ssize_t count = ::read(STDIN_FILENO, bytes_.data(), bytes_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_reading();
    if (count == 0) return traits_type::eof();
    setg(bytes_.data(), bytes_.data(), bytes_.data() + count);
    return traits_type::to_int_type(bytes_[0]);
  }
}

bool standard_error_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

std::size_t standard_error_columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

bool standard_output_has_no_reader() {
  pollfd event{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&event, 1, 0) == 1 && (event.revents & (POLLERR | POLLHUP)) != 0;
}

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): nobody sets it
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

}  // namespace windlass::app

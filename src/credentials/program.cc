#include "windlass/credentials/program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "windlass/base/format.h"
#include "windlass/credentials/secret.h"

namespace windlass::credentials {
namespace {

class File {
 public:
  File() = default;
  explicit File(int number) : number_(number) {}
  ~File() { reset(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int number() const { return number_; }
  void set(int number) {
    reset();
    number_ = number;
  }
  void reset() {
    if (number_ >= 0) close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

std::string errno_text(int error) {
  return std::error_code(error, std::generic_category()).message();
}

// A child that is killed, if need be, and waited for, however its life is left.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (pid_ < 0) return;
    kill(-pid_, SIGKILL);
    await(0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // True when it has ended.
  bool await(int flags) {
    int status = 0;
    pid_t got = 0;
    do {
      got = waitpid(pid_, &status, flags);
    } while (got < 0 && errno == EINTR);
    if (got == 0) return false;
    pid_ = -1;
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
  }

  int status() const { return status_; }

 private:
  pid_t pid_;
  int status_ = 0;
};

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    out.set(ends[0]);
    in.set(ends[1]);
  }
  bool is_open() const { return in.number() >= 0; }

  File out;
  File in;
};

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_of(const Program& program) {
  std::vector<std::string> all;
  const auto is_replaced = [&](std::string_view line) {
    return std::ranges::any_of(program.environment, [&](const auto& variable) {
      return line.starts_with(variable.first) &&
             line.substr(variable.first.size()).starts_with('=');
    });
  };
  for (char** line = environ; *line != nullptr; ++line) {
    if (!is_replaced(*line)) all.emplace_back(*line);
  }
  for (const auto& [name, value] : program.environment) {
    std::string& line = all.emplace_back(name);
    line += '=';
    line += value;
  }
  return all;
}

int spawn(const Program& program, int input, int output, pid_t& pid) {
  const std::vector<char*> argv = pointers_to(program.arguments);
  const std::vector<std::string> environment = environment_of(program);
  const std::vector<char*> envp = pointers_to(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // What this process blocks or ignores is no business of the child's.
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  // A group of its own: what a script has started ends with it.
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// What tells when there is something to do; numbers of files.
struct Watched {
  int output = -1;
  int end = -1;  // of the program; -1 where the system has no such file
  int stop = -1;
};

enum class Event { kOutput, kEnd, kInterruption };

Event await_event(const Watched& watched, TimePoint deadline, const Clock& clock) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock.now()).count();
    if (left <= 0) return Event::kInterruption;
    std::array<pollfd, 3> polled{pollfd{watched.output, POLLIN, 0}, pollfd{watched.end, POLLIN, 0},
                                 pollfd{watched.stop, POLLIN, 0}};
    const int ready =
        poll(polled.data(), polled.size(), static_cast<int>(std::min<std::int64_t>(left, 60'000)));
    if (ready < 0 && errno != EINTR) return Event::kInterruption;
    if (ready <= 0) continue;
    if (polled[2].revents != 0) return Event::kInterruption;
    return polled[1].revents != 0 ? Event::kEnd : Event::kOutput;
  }
}

enum class Ending { kClosed, kTooLong, kInterrupted };

// Until the output is closed, or the program has ended and all that it said is read: what it left
// running in the background may keep the output open for as long as it likes.
Ending read_all(const Watched& watched, const ProgramLimits& limits, const Clock& clock,
                std::string& output) {
  std::array<char, 4096> buffer{};
  // Reserved at once: growing would leave copies of secrets behind.
  output.reserve(limits.output_bytes_max + buffer.size());
  Ending ending = Ending::kInterrupted;
  for (;;) {
    const Event event = await_event(watched, limits.deadline, clock);
    if (event == Event::kInterruption) break;
    const ssize_t got = read(watched.output, buffer.data(), buffer.size());
    if (got < 0 && (errno == EINTR || (errno == EAGAIN && event == Event::kOutput))) continue;
    if (got <= 0) {
      ending = Ending::kClosed;
      break;
    }
    output.append(buffer.data(), static_cast<std::size_t>(got));
    if (output.size() > limits.output_bytes_max) {
      ending = Ending::kTooLong;
      break;
    }
  }
  explicit_bzero(buffer.data(), buffer.size());
  return ending;
}

// A program may close its output before it ends.
bool await_end(Child& child, TimePoint deadline, Clock& clock, const std::stop_token& stop) {
  while (!child.await(WNOHANG)) {
    if (stop.stop_requested() || clock.now() >= deadline) return false;
    clock.sleep_until(clock.now() + std::chrono::milliseconds(2), stop);
  }
  return true;
}

}  // namespace

Result<ProgramEnd> run_program(const Program& program, const ProgramLimits& limits, Clock& clock,
                               const std::stop_token& stop) {
  const std::string_view input = program.input;
  Pipe to_child;
  Pipe from_child;
  const File stopped(eventfd(0, EFD_CLOEXEC));
  if (!to_child.is_open() || !from_child.is_open() || stopped.number() < 0)
    return fail(ErrorCode::kUnavailable, "cannot talk to a program: " + errno_text(errno));
  // The end of this process only: the program's own blocks as it expects.
  fcntl(from_child.out.number(), F_SETFL, O_NONBLOCK);
  const std::stop_callback wake(stop, [&] { eventfd_write(stopped.number(), 1); });

  // Written before anybody reads: it fits into the pipe, and no reader can go away meanwhile, which
  // would end this process with a signal.
  if (input.size() > PIPE_BUF) return fail(ErrorCode::kInvalid, "its input is too long");
  if (write(to_child.in.number(), input.data(), input.size()) != std::ssize(input))
    return fail(ErrorCode::kUnavailable, "cannot talk to a program: " + errno_text(errno));
  to_child.in.reset();

  pid_t pid = -1;
  const int error = spawn(program, to_child.out.number(), from_child.in.number(), pid);
  if (error != 0)
    return fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kInvalid, errno_text(error));
  Child child(pid);
  from_child.in.reset();
  // Asked for by number, for not every C library has its name.
  const File ended(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));

  ProgramEnd end;
  const Ending ending =
      read_all({.output = from_child.out.number(), .end = ended.number(), .stop = stopped.number()},
               limits, clock, end.output);
  if (ending == Ending::kClosed && await_end(child, limits.deadline, clock, stop)) {
    end.status = child.status();
    return end;
  }
  erase(end.output);
  if (stop.stop_requested()) return fail(ErrorCode::kCancelled, "cancelled");
  if (ending == Ending::kTooLong)
    return fail(ErrorCode::kInvalid, format("it says more than {} bytes", limits.output_bytes_max));
  return fail(ErrorCode::kTimedOut, "it took too long");
}

}  // namespace windlass::credentials

#include "child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "windlass/base/check.h"

namespace windlass::test_support {
namespace {

struct Pipe {
  Pipe() { WINDLASS_CHECK(pipe2(ends.data(), O_CLOEXEC) == 0); }
  std::array<int, 2> ends{};  // read, write
};

int spawn(const std::vector<std::string>& arguments, int input, int output) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input >= 0) posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  int pid = -1;
  WINDLASS_CHECK(posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) {
  const Pipe input;
  const Pipe output;
  pid_ = spawn(arguments, input.ends[0], output.ends[1]);
  close(input.ends[0]);
  close(output.ends[1]);
  input_ = input.ends[1];
  output_ = output.ends[0];
  char c = '\0';
  while (read(output_, &c, 1) == 1 && c != '\n') first_line_ += c;
  WINDLASS_CHECK(c == '\n');
}

ChildProcess::~ChildProcess() {
  close(input_);
  close(output_);
  int status = 0;
  waitpid(pid_, &status, 0);
}

std::string output_of(const std::vector<std::string>& arguments) {
  const Pipe output;
  const int pid = spawn(arguments, -1, output.ends[1]);
  close(output.ends[1]);
  std::string all;
  std::array<char, 4096> buffer{};
  ssize_t got = 0;
  while ((got = read(output.ends[0], buffer.data(), buffer.size())) > 0)
    all.append(buffer.data(), static_cast<std::size_t>(got));
  close(output.ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  WINDLASS_CHECK(status == 0);
  return all;
}

}  // namespace windlass::test_support

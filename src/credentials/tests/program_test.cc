#include "windlass/credentials/program.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "windlass/base/testing/temporary_folder.h"

namespace windlass::credentials {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Result<ProgramEnd> run(const std::string& script, Duration timeout = seconds(60),
                       std::size_t bytes_max = 1000, std::stop_token stop = {}) {
  return run_program({.arguments = {"sh", "-c", script, "name", "an argument"},
                      .input = "the input",
                      .environment = {{"WINDLASS_TEST", "a value"}, {"HOME", "/replaced"}}},
                     {.deadline = system_clock().now() + timeout, .output_bytes_max = bytes_max},
                     system_clock(), stop);
}

TEST(Program, GetsItsArgumentsInputAndEnvironment) {
  const Result<ProgramEnd> end = run(
      "cat; echo; echo \"$1\"; echo $WINDLASS_TEST; echo $HOME; echo \"${PATH:+path}\"; exit 7");
  ASSERT_TRUE(end.has_value()) << end.error().message;
  EXPECT_EQ(end->output, "the input\nan argument\na value\n/replaced\npath\n");
  EXPECT_EQ(end->status, 7);
}

TEST(Program, EndsThatAreNoAnswer) {
  EXPECT_EQ(run_program({.arguments = {"/no/such/program"}, .input = {}, .environment = {}},
                        {.deadline = system_clock().now() + seconds(60), .output_bytes_max = 10},
                        system_clock(), {})
                .error()
                .code,
            ErrorCode::kNotFound);
  EXPECT_EQ(run("kill -9 $$")->status, 137);
  EXPECT_EQ(run("sleep 1000", milliseconds(50)).error().code, ErrorCode::kTimedOut);
  EXPECT_EQ(run("exec >&-; sleep 1000", milliseconds(50)).error().code, ErrorCode::kTimedOut);
}

TEST(Program, AGigabyteOfOutputIsNeitherReadNorWaitedFor) {
  const Result<ProgramEnd> end = run("head -c 1000000000 /dev/zero");
  ASSERT_FALSE(end.has_value());
  EXPECT_EQ(end.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(end.error().message, "it says more than 1000 bytes");
}

TEST(Program, WhatItLeavesRunningIsNotWaitedFor) {
  const TemporaryFolder folder;
  const std::string file = folder.path("child");
  const Result<ProgramEnd> end = run("sleep 1000 & echo $! >" + file + "; echo said; exit 3");
  pid_t child = 0;
  std::ifstream(file) >> child;
  ASSERT_GT(child, 0);
  EXPECT_EQ(kill(child, SIGKILL), 0) << "it was not left alone";
  ASSERT_TRUE(end.has_value()) << end.error().message;
  EXPECT_EQ(end->output, "said\n");
  EXPECT_EQ(end->status, 3);
}

TEST(Program, AStopEndsIt) {
  std::stop_source source;
  const std::jthread stopper([&] { source.request_stop(); });
  EXPECT_EQ(run("sleep 1000", seconds(60), 1000, source.get_token()).error().code,
            ErrorCode::kCancelled);
}

TEST(Program, WhatItHasStartedEndsWithIt) {
  const TemporaryFolder folder;
  const std::string file = folder.path("child");
  const Result<ProgramEnd> end = run("sleep 1000 & echo $! >" + file + "; wait", milliseconds(300));
  ASSERT_FALSE(end.has_value());
  pid_t child = 0;
  std::ifstream(file) >> child;
  ASSERT_GT(child, 0);
  // Whoever inherits it may take a moment to collect it; /proc tells a dead one by its state.
  const auto is_gone = [&] {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string number;
    std::string name;
    char state = 'Z';
    stat >> number >> name >> state;
    return state == 'Z' || state == 'X';
  };
  while (!is_gone()) std::this_thread::yield();
}

}  // namespace
}  // namespace windlass::credentials

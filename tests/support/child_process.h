// ChildProcess: a program that a test needs beside itself. It says one line when it is ready, and
// ends when its input does, so it never outlives the test, however that ends.
#pragma once

#include <string>
#include <vector>

namespace windlass::test_support {

class ChildProcess {
 public:
  // Aborts the test program when `arguments` cannot be run or end without a line.
  explicit ChildProcess(const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  const std::string& first_line() const { return first_line_; }

 private:
  int pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string first_line_;
};

// Runs a program to its end; its output, whole. Aborts when it cannot be run or fails.
std::string output_of(const std::vector<std::string>& arguments);

}  // namespace windlass::test_support

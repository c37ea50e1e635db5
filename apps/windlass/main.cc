// The program: what belongs to the process (signals, streams, the environment), and nothing else.
#include <iostream>
#include <string>
#include <vector>

#include "windlass/app/process.h"
#include "windlass/app/run.h"

int main(int argc, char** argv) {
  using namespace windlass::app;
  Interruption interruption;
  const StopOnSignal stop_on_signal(interruption);  // before any thread starts
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  InterruptibleInput input(stop_on_signal.descriptor());
  std::istream in(&input);
  const Streams streams{.in = in,
                        .out = std::cout,
                        .err = std::cerr,
                        .err_is_terminal = standard_error_is_terminal(),
                        .err_columns = standard_error_columns(),
                        .out_has_no_reader = standard_output_has_no_reader};
  return static_cast<int>(
      run(arguments, streams, process_environment(), interruption, stop_on_signal.token()));
}

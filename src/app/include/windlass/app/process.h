// What main() needs of the operating system: signals as a stop token, the terminal, the
// environment.
#pragma once

#include <array>
#include <cstddef>
#include <stop_token>
#include <streambuf>
#include <thread>

#include "windlass/app/interruption.h"
#include "windlass/app/streams.h"

namespace windlass::app {

// Turns SIGINT, SIGTERM and SIGHUP into a stop request. When the work has not ended soon after, or
// a second signal comes, the process ends all the same: at once, or when files have been put in
// place. SIGPIPE and SIGXFSZ become errors of the write. Make one, before any thread starts: it
// sets the signals of the whole process.
class StopOnSignal {
 public:
  explicit StopOnSignal(Interruption& interruption);
  ~StopOnSignal();
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

  std::stop_token token() const { return source_.get_token(); }

  // Becomes readable when a stop is requested, for those who wait for input too.
  int descriptor() const { return descriptor_; }

 private:
  void wait_for_signals(const std::stop_token& stop);

  Interruption& interruption_;
  std::stop_source source_;
  const int descriptor_;
  std::jthread waiter_;
};

// Standard input that ends when `stop_descriptor` becomes readable: an interrupt is not kept
// waiting by somebody who types nothing. What cannot be read makes its stream bad().
class InterruptibleInput final : public std::streambuf {
 public:
  explicit InterruptibleInput(int stop_descriptor) : stop_descriptor_(stop_descriptor) {}

 private:
  int_type underflow() override;
  [[noreturn]] static void fail_reading();

  const int stop_descriptor_;
  std::array<char, 65536> bytes_;
};

bool standard_error_is_terminal();
std::size_t standard_error_columns();  // 80 when it is not known
bool standard_output_has_no_reader();  // a pipe or socket whose other end is closed
Environment process_environment();

}  // namespace windlass::app

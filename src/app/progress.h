// Progress: tells a waiting person how far the lookups are, on standard error.
//
// On a terminal one line is kept up to date and wiped at the end; elsewhere a plain line is written
// now and then, and only when the work takes long.
//
// Not thread-safe: one thread owns it. It reads no clock: the caller says what time it is.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>

#include "windlass/base/time.h"

namespace windlass::app {

class Progress {
 public:
  enum class Style { kNone, kLine, kPlain };

  struct State {
    std::size_t done = 0;
    std::size_t total = 0;
    std::string
        waiting_for;  // "localhost:5000: 503, next try in 2 s"; empty when nothing is in trouble
  };

  // How often a line is renewed: quick enough to look alive, seldom enough for a log.
  static constexpr Duration kLineEvery = std::chrono::milliseconds(100);
  static constexpr Duration kPlainEvery = std::chrono::seconds(5);

  // `columns`: width of the terminal; longer lines are cut.
  Progress(std::ostream& out, Style style, TimePoint started, std::size_t columns = 80);

  // Shows `state` unless the last one is too fresh.
  void update(TimePoint now, const State& state);

  // Wipes the line. What is written after it starts in the first column.
  void finish();

 private:
  std::ostream& out_;
  const Style style_;
  const TimePoint started_;
  const std::size_t columns_;
  TimePoint next_;
  std::size_t shown_ = 0;  // columns of the line on the terminal
};

}  // namespace windlass::app

// Progress: tells a waiting person how far the lookups are, on standard error.
//
// On a terminal a few lines are kept up to date and wiped at the end: one for each registry in
// trouble, and the total. Elsewhere a plain line is written now and then, and only when the work
// takes long, or is asked for at once.
//
// Not thread-safe: one thread owns it. It reads no clock: the caller says what time it is.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "windlass/base/time.h"

namespace windlass::app {

class Progress {
 public:
  enum class Style { kNone, kLine, kPlain, kPlainAtOnce };

  struct Trouble {
    std::string registry;
    std::string text;  // "429 Too Many Requests; next try in 2 s"
  };

  struct State {
    std::size_t done = 0;
    std::size_t total = 0;
    std::vector<Trouble> troubles;  // at most one for each registry
    std::string asking;             // an image that is being asked for; may be empty
  };

  // How often a line is renewed: quick enough to look alive, seldom enough for a log.
  static constexpr Duration kLineEvery = std::chrono::milliseconds(100);
  static constexpr Duration kPlainEvery = std::chrono::seconds(5);
  static constexpr std::size_t kTroublesMax = 8;  // lines on a terminal

  // `columns`: width of the terminal; longer lines are cut.
  Progress(std::ostream& out, Style style, TimePoint started, std::size_t columns = 80);

  // Shows `state` unless the last one is too fresh.
  void update(TimePoint now, const State& state);

  // Wipes the lines. What is written after it starts in the first column.
  void finish();

 private:
  bool is_plain() const { return style_ == Style::kPlain || style_ == Style::kPlainAtOnce; }
  std::string wipe();
  std::string cut(std::string line) const;

  std::ostream& out_;
  const Style style_;
  const TimePoint started_;
  const std::size_t columns_;
  TimePoint next_;
  std::size_t shown_ = 0;  // lines on the terminal, the last without its end
};

}  // namespace windlass::app

#include "progress.h"

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {

Progress::Progress(std::ostream& out, Style style, TimePoint started, std::size_t columns)
    : out_(out),
      style_(style),
      started_(started),
      columns_(columns),
      next_(started + (style == Style::kPlain ? kPlainEvery : kLineEvery)) {}

void Progress::update(TimePoint now, const State& state) {
  if (style_ == Style::kNone || now < next_) return;
  next_ = now + (style_ == Style::kPlain ? kPlainEvery : kLineEvery);
  std::string line = format("{}/{} images, {}", state.done, state.total, to_text(now - started_));
  if (!state.waiting_for.empty()) line += "; waiting for " + printable(state.waiting_for);
  if (style_ == Style::kPlain) {
    out_ << line << '\n' << std::flush;
    return;
  }
  if (line.size() >= columns_ && columns_ > 4) line = line.substr(0, columns_ - 4) + "...";
  const std::size_t wiped = shown_ > line.size() ? shown_ - line.size() : 0;
  out_ << '\r' << line << std::string(wiped, ' ') << std::flush;
  shown_ = line.size();
}

void Progress::finish() {
  if (shown_ > 0) out_ << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
  shown_ = 0;
}

}  // namespace windlass::app

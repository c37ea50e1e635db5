#include "progress.h"

#include <algorithm>
#include <utility>

#include "counted.h"
#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

// What every terminal knows that is not "dumb".
constexpr std::string_view kWipeLine = "\r\x1b[K";
constexpr std::string_view kLineUp = "\x1b[A";

std::string trouble_line(const Progress::Trouble& trouble) {
  return format("{}: {}", printable(trouble.registry), printable_message(trouble.text));
}

std::string waiting_text(const Progress::State& state) {
  if (!state.troubles.empty())
    return "; waiting: " + printable_message(state.troubles.front().text);
  return state.asking.empty() ? "" : "; asking for " + printable(state.asking);
}

}  // namespace

Progress::Progress(std::ostream& out, Style style, TimePoint started, std::size_t columns)
    : out_(out),
      style_(style),
      started_(started),
      columns_(columns),
      next_(style == Style::kPlainAtOnce ? started
                                         : started + (is_plain() ? kPlainEvery : kLineEvery)) {}

void Progress::update(TimePoint now, const State& state) {
  if (style_ == Style::kNone || now < next_) return;
  next_ = now + (is_plain() ? kPlainEvery : kLineEvery);
  const std::string total = format("{}/{}, {}", state.done, counted(state.total, "image", "images"),
                                   to_text(now - started_));
  const std::size_t troubles = std::min(state.troubles.size(), kTroublesMax);
  if (is_plain()) {
    std::string line = total;
    for (std::size_t i = 0; i < troubles; ++i) line += "; " + trouble_line(state.troubles[i]);
    out_ << line << '\n' << std::flush;
    return;
  }
  std::string lines = wipe();
  for (std::size_t i = 0; i < troubles; ++i) lines += cut(trouble_line(state.troubles[i])) + '\n';
  lines += cut(total + waiting_text(state));
  shown_ = troubles + 1;
  out_ << lines << std::flush;
}

void Progress::finish() {
  if (shown_ > 0) out_ << wipe() << std::flush;
}

std::string Progress::wipe() {
  std::string text(kWipeLine);
  for (std::size_t lines = std::exchange(shown_, 0); lines > 1; --lines) {
    text += kLineUp;
    text += kWipeLine;
  }
  return text;
}

std::string Progress::cut(std::string line) const {
  if (line.size() < columns_ || columns_ <= 4) return line;
  return line.substr(0, columns_ - 4) + "...";
}

}  // namespace windlass::app

#include "console.h"

#include "windlass/base/format.h"
#include "windlass/base/text.h"

namespace windlass::app {
namespace {

telemetry::Level log_threshold(Loudness loudness) {
  switch (loudness) {
    case Loudness::kQuiet: return telemetry::Level::kOff;
    case Loudness::kNormal: return telemetry::Level::kWarn;
    case Loudness::kVerbose: return telemetry::Level::kDebug;
  }
  return telemetry::Level::kWarn;
}

}  // namespace

Console::Console(const Streams& streams, Clock& clock, Loudness loudness, Progress::Style progress)
    : Logger(log_threshold(loudness)),
      err_(streams.err),
      clock_(clock),
      loudness_(loudness),
      progress_(streams.err, loudness == Loudness::kQuiet ? Progress::Style::kNone : progress,
                clock.now(), streams.err_columns) {}

Console::~Console() { finish_progress(); }

void Console::error(std::string_view text) { line("error: ", text); }

void Console::warning(std::string_view text) {
  if (loudness_ != Loudness::kQuiet) line("warning: ", text);
}

void Console::note(std::string_view text) {
  if (loudness_ != Loudness::kQuiet) line("", text);
}

void Console::detail(std::string_view text) {
  if (loudness_ == Loudness::kVerbose) line("", text);
}

void Console::show_progress(const Progress::State& state) {
  MutexLock lock(mutex_);
  progress_.update(clock_.now(), state);
}

void Console::finish_progress() {
  MutexLock lock(mutex_);
  progress_.finish();
}

void Console::write(telemetry::Level level, std::string_view message,
                    std::span<const telemetry::Field> fields) {
  std::string text = printable_message(message);
  for (const telemetry::Field& field : fields) {
    text += format(" {}=", field.name);
    if (const auto* value = std::get_if<std::string_view>(&field.value)) {
      text += printable_message(*value);
    } else {
      std::visit([&](const auto& value_of) { text += format("{}", value_of); }, field.value);
    }
  }
  line(format("{}: ", to_string(level)), text);
}

void Console::line(std::string_view kind, std::string_view text) {
  const std::string whole = format("windlass: {}{}\n", kind, text);
  MutexLock lock(mutex_);
  progress_.finish();
  err_ << whole << std::flush;
}

}  // namespace windlass::app

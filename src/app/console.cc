#include "console.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <type_traits>

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

// "windlass: error: TEXT NAME=VALUE". What is told by the way has no level before it.
std::string text_line(telemetry::Level level, std::string_view text,
                      std::span<const telemetry::Field> fields) {
  std::string line = "windlass: ";
  if (level != telemetry::Level::kInfo) line += format("{}: ", to_string(level));
  line += text;
  for (const telemetry::Field& field : fields) {
    line += format(" {}=", field.name);
    if (const auto* value = std::get_if<std::string_view>(&field.value)) {
      line += printable_message(*value);
    } else {
      std::visit([&](const auto& value_of) { line += format("{}", value_of); }, field.value);
    }
  }
  return line + '\n';
}

std::string json_line(WallTime time, telemetry::Level level, std::string_view text,
                      std::span<const telemetry::Field> fields) {
  boost::json::object line = {
      {"time", to_rfc3339(time)}, {"level", to_string(level)}, {"message", text}};
  for (const telemetry::Field& field : fields) {
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>) {
            line.emplace(field.name, printable_message(value));
          } else {
            line.emplace(field.name, value);
          }
        },
        field.value);
  }
  return boost::json::serialize(line) + '\n';
}

}  // namespace

Console::Console(const Streams& streams, Clock& clock, Loudness loudness, Progress::Style progress,
                 Format format)
    : Logger(log_threshold(loudness)),
      err_(streams.err),
      clock_(clock),
      loudness_(loudness),
      format_(format),
      progress_(streams.err, loudness == Loudness::kQuiet ? Progress::Style::kNone : progress,
                clock.now(), streams.err_columns) {}

Console::~Console() { finish_progress(); }

void Console::error(std::string_view text) { line(telemetry::Level::kError, text); }

void Console::warning(std::string_view text) {
  if (loudness_ != Loudness::kQuiet) line(telemetry::Level::kWarn, text);
}

void Console::note(std::string_view text) {
  if (loudness_ != Loudness::kQuiet) line(telemetry::Level::kInfo, text);
}

void Console::detail(std::string_view text) {
  if (loudness_ == Loudness::kVerbose) line(telemetry::Level::kInfo, text);
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
  line(level, printable_message(message), fields);
}

void Console::line(telemetry::Level level, std::string_view text,
                   std::span<const telemetry::Field> fields) {
  const std::string whole = format_ == Format::kText
                                ? text_line(level, text, fields)
                                : json_line(clock_.wall_now(), level, text, fields);
  MutexLock lock(mutex_);
  progress_.finish();
  err_ << whole << std::flush;
}

}  // namespace windlass::app

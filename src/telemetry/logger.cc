#include "windlass/telemetry/logger.h"

namespace windlass::telemetry {

std::string_view to_string(Level level) {
  switch (level) {
    case Level::kDebug: return "debug";
    case Level::kInfo: return "info";
    case Level::kWarn: return "warning";
    case Level::kError: return "error";
  }
  return "error";
}

void Logger::log(Level level, std::string_view message, std::initializer_list<Field> fields) {
  if (enabled(level)) write(level, message, fields);
}

Logger& null_logger() {
  class NullLogger final : public Logger {
   public:
    bool enabled(Level) const override { return false; }
    void write(Level, std::string_view, std::span<const Field>) override {}
  };
  static NullLogger logger;
  return logger;
}

}  // namespace windlass::telemetry

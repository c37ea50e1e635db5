#include "windlass/telemetry/logger.h"

namespace windlass::telemetry {

std::string_view to_string(Level level) {
  switch (level) {
    case Level::kDebug: return "debug";
    case Level::kInfo: return "info";
    case Level::kWarn: return "warning";
    case Level::kError: return "error";
    case Level::kOff: return "off";
  }
  return "error";
}

Logger& null_logger() {
  class NullLogger final : public Logger {
   public:
    NullLogger() : Logger(Level::kOff) {}
    void write(Level, std::string_view, std::span<const Field>) override {}
  };
  static NullLogger logger;
  return logger;
}

}  // namespace windlass::telemetry

// Logger: structured log lines, through an interface that knows no logging library.
//
// A line that is not enabled costs a branch: ask `enabled()` (or use the helpers, which do) before
// building fields. Messages and field values never hold a secret.
//
// Thread safety: loggers may be used from any thread. Lifetime: the owner of a Logger outlives all
// who were given it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "windlass/base/error.h"

namespace windlass::telemetry {

enum class Level { kDebug, kInfo, kWarn, kError };

std::string_view to_string(Level level);

struct Field {
  std::string_view name;
  std::variant<std::string_view, std::int64_t, double, bool> value;
};

class Logger {
 public:
  virtual ~Logger() = default;

  virtual bool enabled(Level level) const = 0;

  // Called only when `enabled(level)`. Must not call back into what logs, and copies what it keeps.
  virtual void write(Level level, std::string_view message, std::span<const Field> fields) = 0;

  void log(Level level, std::string_view message, std::initializer_list<Field> fields = {});
  void debug(std::string_view message, std::initializer_list<Field> fields = {}) {
    log(Level::kDebug, message, fields);
  }
  void info(std::string_view message, std::initializer_list<Field> fields = {}) {
    log(Level::kInfo, message, fields);
  }
  void warn(std::string_view message, std::initializer_list<Field> fields = {}) {
    log(Level::kWarn, message, fields);
  }
  void error(std::string_view message, std::initializer_list<Field> fields = {}) {
    log(Level::kError, message, fields);
  }
};

// Throws every line away.
Logger& null_logger();

}  // namespace windlass::telemetry

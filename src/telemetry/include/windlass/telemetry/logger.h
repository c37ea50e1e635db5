// Logger: structured log lines, through an interface that knows no logging library.
//
// A line below the threshold costs a branch and no allocation. Messages are fixed texts; what
// varies stands in fields. Neither holds a secret.
//
// Thread safety: loggers may be used from any thread. Lifetime: the owner of a Logger outlives all
// who were given it.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "windlass/telemetry/field.h"

namespace windlass::telemetry {

// kOff is a threshold only: nothing is written with it.
enum class Level : std::uint8_t { kDebug, kInfo, kWarn, kError, kOff };

std::string_view to_string(Level level);

class Logger {
 public:
  virtual ~Logger() = default;
  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;

  bool enabled(Level level) const { return level >= threshold_->load(std::memory_order_relaxed); }

  void log(Level level, std::string_view message, std::initializer_list<Field> fields = {}) {
    if (enabled(level)) [[unlikely]]
      write(level, message, {fields.begin(), fields.size()});
  }
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

  // Called only when `enabled(level)`. Neither throws nor blocks on anything but its own lock, does
  // not call back into what logs, and copies what it keeps.
  virtual void write(Level level, std::string_view message, std::span<const Field> fields) = 0;

 protected:
  explicit Logger(Level threshold) : own_threshold_(threshold), threshold_(&own_threshold_) {}

  // One that follows the threshold of `parent`, which outlives it.
  explicit Logger(const Logger* parent)
      : own_threshold_(Level::kOff), threshold_(parent->threshold_) {}

  void set_threshold(Level threshold) {
    own_threshold_.store(threshold, std::memory_order_relaxed);
  }

 private:
  std::atomic<Level> own_threshold_;
  const std::atomic<Level>* const threshold_;
};

// Throws every line away.
Logger& null_logger();

}  // namespace windlass::telemetry

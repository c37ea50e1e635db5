// RecordingLogger: keeps every line as text, for tests to look at.
//
// Thread safety: all members may be called from any thread.
#pragma once

#include <string>
#include <vector>

#include "windlass/base/mutex.h"
#include "windlass/telemetry/logger.h"

namespace windlass::telemetry {

class RecordingLogger final : public Logger {
 public:
  explicit RecordingLogger(Level threshold = Level::kDebug) : Logger(threshold) {}

  void write(Level level, std::string_view message, std::span<const Field> fields) override;

  using Logger::set_threshold;

  // "level message name=value name=value", in the order written.
  std::vector<std::string> lines() const;

  // True when some line holds `text`.
  bool holds(std::string_view text) const;

 private:
  mutable Mutex mutex_;
  std::vector<std::string> lines_ GUARDED_BY(mutex_);
};

}  // namespace windlass::telemetry

#include "windlass/telemetry/testing/recording_logger.h"

#include <algorithm>

#include "windlass/base/format.h"

namespace windlass::telemetry {

void RecordingLogger::write(Level level, std::string_view message, std::span<const Field> fields) {
  std::string line = format("{} {}", to_string(level), message);
  for (const Field& field : fields) {
    std::visit([&](const auto& value) { line += format(" {}={}", field.name, value); },
               field.value);
  }
  MutexLock lock(mutex_);
  lines_.push_back(std::move(line));
}

std::vector<std::string> RecordingLogger::lines() const {
  MutexLock lock(mutex_);
  return lines_;
}

bool RecordingLogger::holds(std::string_view text) const {
  MutexLock lock(mutex_);
  return std::ranges::any_of(lines_, [&](const std::string& line) { return line.contains(text); });
}

}  // namespace windlass::telemetry

#include "key_logger.h"

#include <vector>

namespace windlass::reconcile {

void KeyLogger::write(telemetry::Level level, std::string_view message,
                      std::span<const telemetry::Field> fields) {
  std::vector<telemetry::Field> all = {
      {"queue", queue_}, {"workerId", std::int64_t{worker_}}, {"key", key_}};
  all.insert(all.end(), fields.begin(), fields.end());
  logger_.write(level, message, all);
}

}  // namespace windlass::reconcile

// KeyLogger: adds the fields of one run to every line.
//
// Thread safety: as the logger it writes to. Lifetime: within that of what it is given.
#pragma once

#include <string_view>

#include "windlass/telemetry/logger.h"

namespace windlass::reconcile {

class KeyLogger final : public telemetry::Logger {
 public:
  KeyLogger(telemetry::Logger& logger, std::string_view queue, int worker, std::string_view key)
      : Logger(&logger), logger_(logger), queue_(queue), worker_(worker), key_(key) {}

  void write(telemetry::Level level, std::string_view message,
             std::span<const telemetry::Field> fields) override;

 private:
  telemetry::Logger& logger_;
  const std::string_view queue_;
  const int worker_;
  const std::string_view key_;
};

}  // namespace windlass::reconcile

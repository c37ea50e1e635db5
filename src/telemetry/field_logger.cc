#include "windlass/telemetry/field_logger.h"

#include <vector>

namespace windlass::telemetry {

void FieldLogger::write(Level level, std::string_view message, std::span<const Field> fields) {
  std::vector<Field> all;
  all.reserve(size_ + fields.size());
  all.assign(fields_.begin(), fields_.begin() + static_cast<std::ptrdiff_t>(size_));
  all.insert(all.end(), fields.begin(), fields.end());
  below_.write(level, message, all);
}

}  // namespace windlass::telemetry

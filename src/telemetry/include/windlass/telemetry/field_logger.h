// FieldLogger: writes to another logger and adds fields to each line, in front of the line's own.
//
// Making one allocates nothing for up to kFieldsMax fields, so each run of a handler may have its
// own, also when nothing is logged. More fields: put one FieldLogger on another.
//
// Thread safety: as the logger below. Lifetime: the logger below and all texts in the fields
// outlive it; a task that travels keeps the texts beside its FieldLogger.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

#include "windlass/base/check.h"
#include "windlass/telemetry/logger.h"

namespace windlass::telemetry {

class FieldLogger final : public Logger {
 public:
  static constexpr std::size_t kFieldsMax = 6;

  // Aborts when there are more than kFieldsMax fields.
  FieldLogger(Logger& below, std::initializer_list<Field> fields)
      : Logger(&below), below_(below), size_(fields.size()) {
    WINDLASS_CHECK(size_ <= kFieldsMax);
    for (std::size_t i = 0; i < size_; ++i) fields_[i] = fields.begin()[i];
  }

  void write(Level level, std::string_view message, std::span<const Field> fields) override;

 private:
  Logger& below_;
  std::size_t size_;
  std::array<Field, kFieldsMax> fields_;
};

}  // namespace windlass::telemetry

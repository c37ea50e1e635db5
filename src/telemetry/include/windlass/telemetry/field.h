// Field: a name and a value, on a log line or a span.
//
// A view: texts belong to the caller. Whoever keeps a field copies its text (OwnedField). Values
// never hold a secret.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "windlass/base/error.h"
#include "windlass/base/time.h"

namespace windlass::telemetry {

struct Field {
  using Value = std::variant<std::string_view, std::int64_t, double, bool>;

  constexpr Field() = default;
  constexpr Field(std::string_view field_name, std::string_view text)
      : name(field_name), value(text) {}
  Field(std::string_view field_name, const std::string& text) : name(field_name), value(text) {}
  constexpr Field(std::string_view field_name, const char* text)
      : name(field_name), value(std::string_view(text)) {}
  constexpr Field(std::string_view field_name, bool yes) : name(field_name), value(yes) {}
  constexpr Field(std::string_view field_name, double number) : name(field_name), value(number) {}

  // Numbers beyond the range of int64_t become its largest.
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  constexpr Field(std::string_view field_name, Number number)
      : name(field_name),
        value(std::in_range<std::int64_t>(number) ? static_cast<std::int64_t>(number)
                                                  : std::numeric_limits<std::int64_t>::max()) {}

  // In seconds; the name says so ("delay_seconds").
  constexpr Field(std::string_view field_name, Duration duration)
      : name(field_name), value(std::chrono::duration<double>(duration).count()) {}

  // "error" and the message.
  Field(const Error& error) : Field("error", error.message) {}  // NOLINT: {{"key", key}, error}

  std::string_view name;
  Value value;
};

// A field that was kept.
struct OwnedField {
  using Value = std::variant<std::string, std::int64_t, double, bool>;

  std::string name;
  Value value;

  // Copies `field`; of a text at most `text_bytes_max` bytes, never a part of a UTF-8 sequence.
  static OwnedField copy_of(const Field& field, std::size_t text_bytes_max = SIZE_MAX);

  friend bool operator==(const OwnedField&, const OwnedField&) = default;
};

}  // namespace windlass::telemetry

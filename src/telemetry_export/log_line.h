// How a log line reads, after its time and level.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "windlass/telemetry/field.h"

namespace windlass::telemetry_export {

// "forgetting key queue=pods why=\"told to\"": values are quoted where they would be unclear.
std::string text_line(std::string_view message, std::span<const telemetry::Field> fields,
                      std::size_t text_bytes_max);

// "message":"forgetting key","queue":"pods": the members of a JSON object. Of several fields with
// one name the last counts; a field named time, level or message gets "_" after its name.
std::string json_members(std::string_view message, std::span<const telemetry::Field> fields,
                         std::size_t text_bytes_max);

}  // namespace windlass::telemetry_export

// Reading JSON that holds secrets: parsed into memory that is overwritten when it is given back.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "windlass/base/result.h"

namespace windlass::credentials {

// An object, at most 32 levels deep. kInvalid says "PLACE:LINE:COLUMN: why".
Result<boost::json::value> parse_secret_object(std::string_view json, std::string_view place);

// The string member `name`; "" when it is missing or null. False in `*is_string` for another type.
std::string_view string_member(const boost::json::object& object, std::string_view name,
                               bool* is_string);

}  // namespace windlass::credentials

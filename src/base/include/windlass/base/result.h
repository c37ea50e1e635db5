// Result<T>: a value, or the Error that says why there is none.
//
// The idiom is the early return: `if (!x) return fail(std::move(x.error()));`
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

#include "windlass/base/error.h"

namespace windlass {

template <class T>
using Result = std::expected<T, Error>;

// What a function that returns a Result<T> returns when it fails.
inline std::unexpected<Error> fail(Error error) { return std::unexpected<Error>(std::move(error)); }

inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return fail(Error{.code = code, .message = std::move(message)});
}

inline std::unexpected<Error> fail(Error error, std::string_view context) {
  return fail(std::move(error).with_context(context));
}

}  // namespace windlass

// Numbers of things, in the words that fit the number.
//
// Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "windlass/base/format.h"

namespace windlass::app {

// The form of a word that goes with `number`.
inline std::string_view word_for(std::size_t number, std::string_view one, std::string_view more) {
  return number == 1 ? one : more;
}

// "1 image", "2 images".
inline std::string counted(std::size_t number, std::string_view one, std::string_view more) {
  return format("{} {}", number, word_for(number, one, more));
}

}  // namespace windlass::app
